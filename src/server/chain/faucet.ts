import { setTimeout as sleep } from 'node:timers/promises'
import { createWalletClient, encodeFunctionData, erc20Abi, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { AppError } from '../../protocol/errors.ts'
import type { Address } from '../../protocol/ids.ts'
import { type Usdt, WEI_PER_MICRO } from '../../protocol/money.ts'
import { type Chain, nodeTransport, TOKEN_DECIMALS, viemChain } from './client.ts'
import type { Hash } from './tables.ts'

const GIFT_BNB = parseEther('1')
const TRIES_MAX = 4
const GIFT_TOKENS = 5_000n

// Gifts are sent one at a time, because they share the faucet's nonce.
let last: Promise<unknown> = Promise.resolve()

/** Sends test BNB, USDT, JW and JWC and waits until they have arrived. */
export async function giveTestMoney(chain: Chain, to: Address): Promise<Hash[]> {
  const sending = last.then(() => sendWithRetry(chain, to))
  last = sending.catch(() => {})
  const hashes = await sending
  for (const hash of hashes.toReversed()) await chain.client.waitForTransactionReceipt({ hash, timeout: 30_000 })
  return hashes
}

/** Retries, because another process may take the same nonce at the same moment (this happens on the first start). */
async function sendWithRetry(chain: Chain, to: Address): Promise<Hash[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(chain, to)
    } catch (error) {
      if (attempt >= TRIES_MAX || error instanceof AppError) throw error
      await sleep(1_000)
    }
  }
}

/** Pays USDT from the faucet to our address: the operator's first deposit on a development chain. */
export async function payFromFaucet(chain: Chain, to: Address, amount: Usdt): Promise<Hash> {
  const { wallet } = faucetOf(chain)
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount * WEI_PER_MICRO] })
  const hash = await wallet.sendTransaction({ to: chain.settings.usdt, data })
  await chain.client.waitForTransactionReceipt({ hash, timeout: 30_000 })
  return hash
}

function faucetOf({ settings }: Chain) {
  if (!settings.faucetKey) throw new AppError('not_found', 'There is no faucet on this network')
  const account = privateKeyToAccount(settings.faucetKey)
  return {
    account,
    wallet: createWalletClient({ account, chain: viemChain(settings), transport: nodeTransport(settings.rpcUrl) }),
  }
}

async function send(chain: Chain, to: Address): Promise<Hash[]> {
  const { client, settings } = chain
  const { account } = faucetOf(chain)
  const [firstNonce, fees] = await Promise.all([
    client.getTransactionCount({ address: account.address, blockTag: 'pending' }),
    client.estimateFeesPerGas(),
  ])
  const tokens = (['usdt', 'jw', 'jwc'] as const).map((token) => {
    const amount = GIFT_TOKENS * 10n ** BigInt(TOKEN_DECIMALS[token])
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
    return { to: settings[token], data }
  })
  const hashes: Hash[] = []
  for (const [index, gift] of [{ to, value: GIFT_BNB }, ...tokens].entries()) {
    // A fixed gas limit: estimating would fail while the faucet's earlier gifts are still pending.
    const common = { chainId: settings.chainId, nonce: firstNonce + index, gas: 100_000n, type: 'eip1559' as const }
    const serializedTransaction = await account.signTransaction({ ...gift, ...common, ...fees })
    hashes.push(await client.sendRawTransaction({ serializedTransaction }))
  }
  return hashes
}
