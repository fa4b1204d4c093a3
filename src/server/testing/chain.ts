import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  concatHex,
  createWalletClient,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  http,
  parseAbi,
  parseAbiParameters,
  parseEther,
  toHex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Address } from '../../protocol/ids.ts'
import { type Usdt, WEI_PER_MICRO } from '../../protocol/money.ts'
import { type Chain, createChain, TOKEN_DECIMALS } from '../chain/client.ts'
import type { Hash } from '../chain/tables.ts'
import { encodeKeyholderCall, type KeyholderCall } from '../chain/vault-calls.ts'
import { DEVELOPMENT_CHAIN_ID, startAnvilNode } from '../embedded/anvil-node.ts'
import { compileContracts } from '../embedded/compile.ts'
import { vaultCode } from '../embedded/vault-code.ts'
import { publishFirstRoot, publishTestRoot, type TestRoot, type VaultRoles } from './vault.ts'

/** anvil's first account, which owns the tokens of a test. */
const RICH_KEY: Hash = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const mintAbi = parseAbi(['function mint(address to, uint256 value)'])

type SendOptions = { token?: Address; nonce?: number }
export type PaymentChain = Awaited<ReturnType<typeof startPaymentChain>>

/** Far above what a test pays. The tests of the limit set their own. */
const LIMITS = { dailyMax: 10n ** 13n, singleMax: 10n ** 12n, floor: 10n ** 9n }

/** A chain with USDT and a vault that mines blocks only when a test calls `mine`. A block is final two blocks later. */
export async function startPaymentChain(hotKey: Hash = generatePrivateKey()) {
  const folder = mkdtempSync(join(tmpdir(), 'wellplay-payments-'))
  const { port, rpc, child } = await startAnvilNode({ logPath: join(folder, 'anvil.log') })
  const rpcUrl = `http://127.0.0.1:${port}`
  const chain = chainAt(rpcUrl)
  const hot = addressOf(hotKey)
  const rich = privateKeyToAccount(RICH_KEY)
  const mine = async (blocks = 1) => void (await rpc('anvil_mine', [toHex(blocks)]))
  const setBalance = (address: Address, wei: bigint) => rpc('anvil_setBalance', [address, toHex(wei)])
  const roles = {
    publisherKey: generatePrivateKey(),
    guardianKey: generatePrivateKey(),
    ownerKey: generatePrivateKey(),
  }
  const { usdt, otherToken, vault, addresses } = await deploy(rpcUrl, mine, hot, roles)
  Object.assign(chain.settings, { usdt, vault })
  for (const key of [hotKey, ...Object.values(roles)]) await setBalance(addressOf(key), parseEther('100'))
  await publishFirstRoot(chain, roles.publisherKey)
  await mine()
  const { sendToken, sendCall } = createSenders(rpcUrl, usdt, setBalance)

  return {
    chain,
    rpc,
    usdt,
    otherToken,
    vault,
    roles,
    hot,
    hotKey,
    richKey: RICH_KEY,
    rich: rich.address.toLowerCase() as Address,
    /** The settings of an API or worker on this chain. */
    settings: {
      RPC_URL: rpcUrl,
      CHAIN_ID: String(DEVELOPMENT_CHAIN_ID),
      ...addresses,
      VAULT_ADDRESS: vault,
      HOT_WALLET_ADDRESS: hot,
      HOT_WALLET_KEY: hotKey,
      PUBLISHER_KEY: roles.publisherKey,
    },
    sendToken,
    sendCall,
    mine,
    setBalance,
    setCode: (address: Address, code: Hash) => rpc('anvil_setCode', [address, code]),
    /** Replaces the newest blocks with empty ones and drops their transactions. */
    reorg: (depth: number) => rpc('anvil_reorg', [depth, []]),
    /** Sends tokens to an address and mines a block. */
    async give(to: Address, amount: Usdt, token?: Address): Promise<void> {
      await sendToken(RICH_KEY, to, amount * WEI_PER_MICRO, token ? { token } : {})
      await mine()
    },
    /** Pays the vault. The payment waits in the mempool. */
    pay: (key: Hash, amount: Usdt) => sendToken(key, vault, amount * WEI_PER_MICRO),
    /** Publishes a root, so that payouts work for a day. It waits in the mempool too. */
    publish: (options?: TestRoot) => publishTestRoot(chain, roles.publisherKey, options),
    /** Calls the vault with one of its keys. */
    callVault: (key: keyof VaultRoles, call: KeyholderCall) => sendCall(roles[key], vault, encodeKeyholderCall(call)),
    balanceOf: (owner: Address): Promise<bigint> =>
      chain.client.readContract({ address: usdt, abi: erc20Abi, functionName: 'balanceOf', args: [owner] }),
    async stop(): Promise<void> {
      await child.stop(0)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Sends an empty transaction with the payer's key, as another holder of the key could. It waits in the mempool. */
export async function takeNonce({ hot, hotKey, rpc }: PaymentChain, nonce: bigint, fee: bigint): Promise<void> {
  const fees = { maxFeePerGas: fee, maxPriorityFeePerGas: fee }
  const terms = { chainId: DEVELOPMENT_CHAIN_ID, type: 'eip1559', to: hot, gas: 21_000n } as const
  const raw = await privateKeyToAccount(hotKey).signTransaction({ ...terms, ...fees, nonce: Number(nonce) })
  await rpc('eth_sendRawTransaction', [raw])
}

/** Both sign and send. The transaction waits in the mempool until a block is mined. */
function createSenders(rpcUrl: string, usdt: Address, setBalance: (address: Address, wei: bigint) => Promise<unknown>) {
  async function send(key: Hash, call: { to: Address; data: Hash; value?: bigint; nonce?: number }): Promise<Hash> {
    await setBalance(addressOf(key), parseEther('100'))
    const wallet = createWalletClient({ account: privateKeyToAccount(key), transport: http(rpcUrl) })
    return wallet.sendTransaction({ ...call, gas: 200_000n, chain: null })
  }
  return {
    sendToken: (key: Hash, to: Address, valueWei: bigint, { token = usdt, ...rest }: SendOptions = {}) => {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, valueWei] })
      return send(key, { to: token, data, ...rest })
    },
    sendCall: (key: Hash, to: Address, data: Hash = '0x', valueWei = 0n) => send(key, { to, data, value: valueWei }),
  }
}

const addressOf = (key: Hash): Address => privateKeyToAccount(key).address.toLowerCase() as Address

const chainAt = (rpcUrl: string): Chain =>
  createChain({ rpcUrl, otherRpcUrls: [] as string[], chainId: DEVELOPMENT_CHAIN_ID } as Chain['settings'])

/** `otherToken` is a token that we do not accept. `addresses` are settings. */
async function deploy(rpcUrl: string, mine: () => Promise<void>, payer: Address, roles: VaultRoles) {
  const { TestToken, TestPair } = await compileContracts()
  if (!TestToken || !TestPair) throw new Error('a contract is missing')
  const account = privateKeyToAccount(RICH_KEY)
  const wallet = createWalletClient({ account, transport: http(rpcUrl) })
  let nonce = 0
  async function create(data: Hash): Promise<Address> {
    const address = getContractAddress({ from: account.address, nonce: BigInt(nonce) }).toLowerCase() as Address
    await wallet.sendTransaction({ data, gas: 6_000_000n, nonce: nonce++, chain: null })
    return address
  }
  const ofToken = parseAbiParameters('string, string, uint8, address')
  const createToken = (name: string, decimals: number) =>
    create(concatHex([TestToken, encodeAbiParameters(ofToken, [name, name, decimals, account.address])]))
  const usdt = await createToken('USDT', TOKEN_DECIMALS.usdt)
  const otherToken = await createToken('Other', TOKEN_DECIMALS.usdt)
  const jw = await createToken('JW', TOKEN_DECIMALS.jw)
  const jwc = await createToken('JWC', TOKEN_DECIMALS.jwc)
  const pair = await create(
    concatHex([TestPair, encodeAbiParameters(parseAbiParameters('address, address'), [jw, usdt])]),
  )
  const { publisherKey, guardianKey, ownerKey } = roles
  const keys = {
    payer,
    publisher: addressOf(publisherKey),
    guardian: addressOf(guardianKey),
    owner: addressOf(ownerKey),
  }
  const vault = await create(vaultCode({ token: usdt, ...keys, ...LIMITS }))
  await mine()
  for (const to of [usdt, otherToken]) {
    const args = [account.address, 10n ** 30n] as const
    const data = encodeFunctionData({ abi: mintAbi, functionName: 'mint', args })
    await wallet.sendTransaction({ to, data, gas: 200_000n, nonce: nonce++, chain: null })
  }
  await mine()
  const addresses = { USDT_ADDRESS: usdt, JW_ADDRESS: jw, JWC_ADDRESS: jwc, PAIR_ADDRESS: pair }
  return { usdt, otherToken, vault, addresses }
}
