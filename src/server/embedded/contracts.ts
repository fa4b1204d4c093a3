import {
  type Abi,
  concatHex,
  createPublicClient,
  createWalletClient,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  http,
  parseAbi,
  parseAbiParameters,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Address } from '../../protocol/ids.ts'
import { DEVELOPMENT_CHAIN_ID } from './anvil-node.ts'
import { compileContracts } from './compile.ts'
import { CREATE2_PROXY, proxiedAddress, proxyCall, readFactoryCode } from './deposit-code.ts'
import { vaultCode } from './vault-code.ts'

/** The first six of anvil's well-known keys. They own only test money, on a chain that exists only on this machine. */
const FAUCET_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const HOT_WALLET_KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'
const RECEIPT_KEY = '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a'
const PUBLISHER_KEY = '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6'
const GUARDIAN_KEY = '0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a'
const OWNER_KEY = '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba'
/** The limits of 24 hours and of one payout, and the floor, in micro-USDT. */
const LIMITS = { dailyMax: 100_000_000_000n, singleMax: 5_000_000_000n, floor: 1_000_000_000n }

const tokenAbi = parseAbi([
  'function mint(address to, uint256 value)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
])
const pairAbi = parseAbi(['function sync()'])

const tokens = {
  usdt: { name: 'Test Tether USD', symbol: 'USDT', decimals: 18, supply: 1_000_000_000n, inPair: 250_000n },
  jw: { name: 'Test JW', symbol: 'JW', decimals: 10, supply: 1_000_000_000n, inPair: 1_000_000n },
  jwc: { name: 'Test JWC', symbol: 'JWC', decimals: 18, supply: 1_000_000_000n, inPair: 0n },
} as const
type TokenName = keyof typeof tokens
const unitsOf = (name: TokenName, whole: bigint) => whole * 10n ** BigInt(tokens[name].decimals)

export type DevelopmentChain = {
  chainId: number
  tokens: Record<TokenName, { address: Address; decimals: number }>
  pair: Address
  vault: Address
  hotWalletAddress: Address
  faucetAddress: Address
  hotWalletKey: Hex
  publisherKey: Hex
  guardianKey: Hex
  ownerKey: Hex
  receiptKey: Hex
  faucetKey: Hex
}

/** Deploys the test tokens, a JW/USDT pair, the vault and the deposit factory. Skips what is already there. */
export async function developmentChain(rpcUrl: string): Promise<DevelopmentChain> {
  const sender = await createSender(rpcUrl)
  const { TestToken, TestPair } = await compileContracts()
  if (!TestToken || !TestPair) throw new Error('a contract is missing')
  const address = {} as Record<TokenName, Address>
  for (const name of Object.keys(tokens) as TokenName[]) {
    const { name: title, symbol, decimals } = tokens[name]
    const parameters = parseAbiParameters('string, string, uint8, address')
    const values = encodeAbiParameters(parameters, [title, symbol, decimals, sender.address])
    address[name] = await sender.deploy(concatHex([TestToken, values]))
  }
  const pairValues = encodeAbiParameters(parseAbiParameters('address, address'), [address.jw, address.usdt])
  const pair = await sender.deploy(concatHex([TestPair, pairValues]))
  for (const name of Object.keys(tokens) as TokenName[]) await fill(sender, name, address[name], pair)
  const vault = await sender.deploy(vaultCode({ ...planFor(address.usdt), ...LIMITS }))
  await sender.deploy(readFactoryCode())
  await sender.settle()
  return {
    chainId: DEVELOPMENT_CHAIN_ID,
    tokens: mapTokens((name) => ({ address: address[name], decimals: tokens[name].decimals })),
    pair,
    vault,
    hotWalletAddress: addressOf(HOT_WALLET_KEY),
    faucetAddress: sender.address.toLowerCase() as Address,
    hotWalletKey: HOT_WALLET_KEY,
    publisherKey: PUBLISHER_KEY,
    guardianKey: GUARDIAN_KEY,
    ownerKey: OWNER_KEY,
    receiptKey: RECEIPT_KEY,
    faucetKey: FAUCET_KEY,
  }
}

const addressOf = (key: Hex): Address => privateKeyToAccount(key).address.toLowerCase() as Address

const planFor = (token: Address) => ({
  token,
  payer: addressOf(HOT_WALLET_KEY),
  publisher: addressOf(PUBLISHER_KEY),
  guardian: addressOf(GUARDIAN_KEY),
  owner: addressOf(OWNER_KEY),
})

const mapTokens = <Value>(value: (name: TokenName) => Value) => ({
  usdt: value('usdt'),
  jw: value('jw'),
  jwc: value('jwc'),
})

type Sender = Awaited<ReturnType<typeof createSender>>

async function fill(sender: Sender, name: TokenName, token: Address, pair: Address): Promise<void> {
  if (await sender.hasSupply(token)) return
  const { supply, inPair } = tokens[name]
  await sender.send(token, tokenAbi, 'mint', [sender.address, unitsOf(name, supply)])
  if (inPair === 0n) return
  await sender.send(token, tokenAbi, 'transfer', [pair, unitsOf(name, inPair)])
  await sender.send(pair, pairAbi, 'sync', [])
}

/** Counts nonces itself instead of waiting for receipts, so that everything fits into one or two blocks. */
async function createSender(rpcUrl: string) {
  const account = privateKeyToAccount(FAUCET_KEY)
  const client = createPublicClient({ transport: http(rpcUrl), pollingInterval: 100, cacheTime: 0 })
  const wallet = createWalletClient({ account, transport: http(rpcUrl) })
  let nonce = await client.getTransactionCount({ address: account.address, blockTag: 'pending' })
  const sent: Hex[] = []
  const transact = async (to: Address, data: Hex) =>
    void sent.push(await wallet.sendTransaction({ to, data, nonce: nonce++, gas: 6_000_000n, chain: null }))

  return {
    address: account.address.toLowerCase() as Address,
    async deploy(code: Hex): Promise<Address> {
      const address = proxiedAddress(code)
      if (!(await client.getCode({ address }))) await transact(CREATE2_PROXY, proxyCall(code))
      return address
    },
    async hasSupply(token: Address): Promise<boolean> {
      if (!(await client.getCode({ address: token }))) return false
      return (await client.readContract({ address: token, abi: tokenAbi, functionName: 'totalSupply' })) > 0n
    },
    send: (to: Address, abi: Abi, functionName: string, args: unknown[]) =>
      transact(to, encodeFunctionData({ abi, functionName, args })),
    async settle(): Promise<void> {
      for (const hash of sent) {
        const { status } = await client.waitForTransactionReceipt({ hash, timeout: 60_000 })
        if (status !== 'success') throw new Error(`a setup transaction failed: ${hash}`)
      }
    },
  }
}
