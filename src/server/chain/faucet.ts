import { setTimeout as sleep } from 'node:timers/promises'
import { createWalletClient, encodeFunctionData, erc20Abi, http, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { AppError } from '../../protocol/errors.ts'
import type { Address } from '../../protocol/ids.ts'
import type { Usdt } from '../../protocol/money.ts'
import { type Chain, TOKEN_DECIMALS, viemChain } from './client.ts'
import type { Hash } from './queries.ts'
import { WEI_PER_MICRO } from './transfers-prove.ts'

const GIFT_BNB = parseEther('1')
const TRIES_MAX = 4
const GIFT_TOKENS = 5_000n

// One gift after the other: they share the faucet's nonce.
let last: Promise<unknown> = Promise.resolve()

/** Sends test BNB, USDT, JW and JWC and waits until they have arrived. */
export function giveTestMoney(chain: Chain, to: Address): Promise<string[]> {
  const gift = last.then(() => sendWithRetry(chain, to))
  last = gift.catch(() => {})
  return gift
}

/** Another process may use the faucet's nonce at the same moment (the first start does): the next try finds a new one. */
async function sendWithRetry(chain: Chain, to: Address): Promise<string[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(chain, to)
    } catch (error) {
      if (attempt >= TRIES_MAX || error instanceof AppError) throw error
      await sleep(1_000)
    }
  }
}

/** The faucet pays USDT to our own address: the operator's first deposit on a development chain. */
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
    wallet: createWalletClient({ account, chain: viemChain(settings), transport: http(settings.rpcUrl) }),
  }
}

async function send(chain: Chain, to: Address): Promise<string[]> {
  const { client, settings } = chain
  const { account, wallet } = faucetOf(chain)
  let nonce = await client.getTransactionCount({ address: account.address, blockTag: 'pending' })
  const hashes = [await wallet.sendTransaction({ to, value: GIFT_BNB, nonce: nonce++ })]
  for (const token of ['usdt', 'jw', 'jwc'] as const) {
    const amount = GIFT_TOKENS * 10n ** BigInt(TOKEN_DECIMALS[token])
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] })
    // A fixed allowance of gas: estimating would fail while the faucet's earlier gifts are still pending.
    hashes.push(await wallet.sendTransaction({ to: settings[token], data, nonce: nonce++, gas: 100_000n }))
  }
  for (const hash of hashes) await client.waitForTransactionReceipt({ hash, timeout: 30_000 })
  return hashes
}
