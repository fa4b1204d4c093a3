import { BaseError, ContractFunctionRevertedError, ContractFunctionZeroDataError, erc20Abi } from 'viem'
import type { Address } from '../../protocol/ids.ts'
import { CREATE2_PROXY } from '../embedded/deposit-code.ts'
import type { Config } from '../platform/config.ts'
import type { Checked } from '../platform/database-check.ts'
import { addressOf } from './addresses.ts'
import { type Chain, createChain, TOKEN_DECIMALS } from './client.ts'
import { listSignerAddresses, SignerError } from './signers.ts'
import { isOurCode, readVaultKeys, readVaultToken, type VaultKey } from './vault.ts'

/** Settings that are not valid are left out. */
type GivenChain = Partial<Config['chain']>

/** Whether the chain nodes have the chain and the contracts that the settings name. */
export async function checkChain(given: GivenChain): Promise<Checked> {
  const checked: Checked = { mistakes: findWrongAddress(given), unknown: [] }
  const urls = given.rpcUrl ? [given.rpcUrl, ...(given.otherRpcUrls ?? [])] : []
  const nodes = urls.map((rpcUrl) => createChain({ ...given, rpcUrl, otherRpcUrls: [] } as Config['chain']))
  await checkSigner(given, checked)
  const usable = await Promise.all(nodes.map((node) => hasChain(node, checked)))
  const node = nodes.find((_, at) => usable[at])
  if (node) await checkContracts(node, checked)
  return checked
}

function findWrongAddress({ hotWallet, hotWalletKey, publisher, publisherKey }: GivenChain): string[] {
  const isWrong = (address?: Address, key?: `0x${string}`) => address && key && addressOf(key) !== address
  return [
    ...(isWrong(hotWallet, hotWalletKey)
      ? [`HOT_WALLET_ADDRESS: ${hotWallet} is not the address of HOT_WALLET_KEY`]
      : []),
    ...(isWrong(publisher, publisherKey)
      ? [`PUBLISHER_ADDRESS: ${publisher} is not the address of PUBLISHER_KEY`]
      : []),
  ]
}

/** Whether the remote signer has the keys that are not in the environment. */
async function checkSigner(given: GivenChain, { mistakes, unknown }: Checked): Promise<void> {
  const { hotWallet, hotWalletKey, publisher, publisherKey } = given
  const needed = [hotWalletKey ? undefined : hotWallet, publisherKey ? undefined : publisher]
  try {
    const held = await listSignerAddresses(given)
    for (const address of needed)
      if (held && address && !held.includes(address)) mistakes.push(`SIGNER_URL: the signer has no key of ${address}`)
  } catch (error) {
    unknown.push(`SIGNER_URL: the signer did not answer: ${reasonOf(error)}`)
  }
}

async function hasChain({ client, settings }: Chain, { mistakes, unknown }: Checked): Promise<boolean> {
  const { host } = new URL(settings.rpcUrl)
  try {
    const actual = await client.getChainId()
    if (settings.chainId === undefined || actual === settings.chainId) return true
    mistakes.push(`CHAIN_ID: the node ${host} in RPC_URL has the chain id ${actual}, not ${settings.chainId}`)
  } catch (error) {
    unknown.push(`RPC_URL: the node ${host} did not answer: ${reasonOf(error)}`)
  }
  return false
}

async function checkContracts(node: Chain, { mistakes, unknown }: Checked): Promise<void> {
  const { usdt, jw, jwc, pair } = node.settings as GivenChain
  const checks = [
    checkToken(node, 'USDT_ADDRESS', usdt, TOKEN_DECIMALS.usdt),
    checkToken(node, 'JW_ADDRESS', jw, TOKEN_DECIMALS.jw),
    checkToken(node, 'JWC_ADDRESS', jwc, TOKEN_DECIMALS.jwc),
    findNoContract(node, 'PAIR_ADDRESS', pair),
    checkVault(node),
    findNoContract(node, 'CHAIN_ID', CREATE2_PROXY),
  ]
  for (const result of await Promise.allSettled(checks))
    if (result.status === 'fulfilled') mistakes.push(...result.value)
    else unknown.push(`RPC_URL: a contract could not be read: ${reasonOf(result.reason)}`)
}

async function findNoContract({ client, settings }: Chain, name: string, address?: Address): Promise<string[]> {
  if (!address || (await client.getCode({ address }))) return []
  return [`${name}: there is no contract at ${address} on chain ${settings.chainId}`]
}

async function checkToken(node: Chain, name: string, address: Address | undefined, expected: number) {
  const missing = await findNoContract(node, name, address)
  if (!address || missing.length > 0) return missing
  const decimals = await readDecimals(node, address)
  if (decimals === undefined) return [`${name}: the contract at ${address} is not a token`]
  return decimals === expected ? [] : [`${name}: the token at ${address} has ${decimals} decimals, not ${expected}`]
}

/** Users' money goes there, so it must be our code, for our token, and pay when our key asks. */
async function checkVault(node: Chain): Promise<string[]> {
  const { vault, usdt, ...given } = node.settings as GivenChain
  const missing = await findNoContract(node, 'VAULT_ADDRESS', vault)
  if (!vault || missing.length > 0) return missing
  try {
    if (!(await isOurCode(node))) return [`VAULT_ADDRESS: the contract at ${vault} is another version of the vault`]
  } catch (error) {
    if (!isOfContract(error)) throw error
    return [`VAULT_ADDRESS: the contract at ${vault} is not a vault`]
  }
  const [token, keys, other] = await Promise.all([
    readVaultToken(node),
    readVaultKeys(node),
    // If it is no USDT at all, that is the mistake to report.
    checkToken(node, 'USDT_ADDRESS', usdt, TOKEN_DECIMALS.usdt),
  ])
  const hot = given.hotWallet ?? addressOf(given.hotWalletKey)
  const publisher = given.publisher ?? addressOf(given.publisherKey)
  return [
    ...(usdt && token !== usdt && other.length === 0
      ? [`VAULT_ADDRESS: the vault holds the token ${token}, not USDT_ADDRESS`]
      : []),
    ...(hot && keys.payer !== hot ? [`HOT_WALLET_ADDRESS: the vault pays for ${keys.payer}, not for ${hot}`] : []),
    ...(publisher && keys.publisher !== publisher
      ? [`PUBLISHER_ADDRESS: the vault takes roots from ${keys.publisher}, not from ${publisher}`]
      : []),
    ...(await findHeldKeys(given, keys)),
  ]
}

/** Guardian and owner limit what our processes can do, so neither a process nor its signer may have their keys. */
async function findHeldKeys(given: GivenChain, { guardian, owner }: Record<VaultKey, Address>): Promise<string[]> {
  // A signer that does not answer is reported by checkSigner.
  const inSigner = (await listSignerAddresses(given).catch(() => undefined)) ?? []
  const held: [string, Address | undefined][] = [
    ['HOT_WALLET_KEY', addressOf(given.hotWalletKey)],
    ['PUBLISHER_KEY', addressOf(given.publisherKey)],
    ['RECEIPT_KEY', addressOf(given.receiptKey)],
    ['FAUCET_KEY', addressOf(given.faucetKey)],
    ...inSigner.map((address): [string, Address] => ['SIGNER_URL', address]),
  ]
  return held.flatMap(([name, address]) => {
    if (address !== guardian && address !== owner) return []
    const key = address === guardian ? 'guardian' : 'owner'
    return [
      `${name}: has the key of the vault's ${key}, ${address}. Keep it with another person, outside our machines.`,
    ]
  })
}

/** Undefined if the contract does not have this function. Throws if the node does not answer. */
async function readDecimals({ client }: Chain, address: Address): Promise<number | undefined> {
  try {
    return await client.readContract({ address, abi: erc20Abi, functionName: 'decimals' })
  } catch (error) {
    if (isOfContract(error)) return undefined
    throw error
  }
}

/** Whether the contract does not have the function that was called. */
function isOfContract(error: unknown): boolean {
  const isCause = (cause: unknown) =>
    cause instanceof ContractFunctionRevertedError || cause instanceof ContractFunctionZeroDataError
  return error instanceof BaseError && error.walk(isCause) !== null
}

function reasonOf(error: unknown): string {
  if (error instanceof SignerError) return error.message
  return error instanceof BaseError ? error.shortMessage : String(error)
}
