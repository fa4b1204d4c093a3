import {
  BaseError,
  http,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionSerializableEIP1559,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Address } from '../../protocol/ids.ts'
import { addressOf } from './addresses.ts'
import type { Chain } from './client.ts'
import type { Hash, SignerRole } from './tables.ts'

type Unsigned = {
  nonce: number
  to: Address
  data: Hash
  gas: bigint
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}
/**
 * A key with which the worker signs chain transactions. It is in the environment or in a remote signer, which gets
 * `eth_signTransaction` over JSON-RPC (web3signer, geth with clef, proxies of a KMS). The vault's other two keys, of the
 * guardian and the owner, are in no process.
 */
export type Signer = {
  address: Address
  /** Where the key is, without secrets. */
  place: string
  /** The signed bytes. They are stored before they are sent, so a repeated call cannot pay twice: the nonce is the same. */
  sign(transaction: Unsigned): Promise<Hash>
}

/** The remote signer did not sign. What it should have signed is tried again later. */
export class SignerError extends Error {}

/** Shorter than the limits of the database transaction in which a payout is signed. */
const SIGNER_TIMEOUT_MS = 5_000

const settingNames = {
  payer: { key: 'HOT_WALLET_KEY', address: 'HOT_WALLET_ADDRESS' },
  publisher: { key: 'PUBLISHER_KEY', address: 'PUBLISHER_ADDRESS' },
} as const

const givenTo = ({ settings }: Chain, role: SignerRole) =>
  role === 'payer'
    ? { key: settings.hotWalletKey, address: settings.hotWallet }
    : { key: settings.publisherKey, address: settings.publisher }

/** Undefined if this process can sign nothing in this role. */
export function findSigner(chain: Chain, role: SignerRole): Signer | undefined {
  const { key, address } = givenTo(chain, role)
  const { signerUrl } = chain.settings
  const names = settingNames[role]
  if (key) {
    const own = addressOf(key)
    if (!own || (address && own !== address))
      throw new Error(`${names.key} and ${names.address} do not belong together`)
    const sign = (wanted: Unsigned) => privateKeyToAccount(key).signTransaction(complete(chain, wanted))
    return { address: own, place: `environment (${names.key})`, sign }
  }
  if (!signerUrl || !address) return undefined
  return { address, place: `signer ${new URL(signerUrl).host}`, sign: (wanted) => signRemotely(chain, address, wanted) }
}

export function getSigner(chain: Chain, role: SignerRole): Signer {
  const signer = findSigner(chain, role)
  if (signer) return signer
  const { key, address } = settingNames[role]
  throw new Error(`Neither ${key} nor SIGNER_URL with ${address} is set: the ${role} cannot sign`)
}

const complete = ({ settings }: Chain, wanted: Unsigned) =>
  ({ ...wanted, type: 'eip1559', chainId: settings.chainId, value: 0n }) satisfies TransactionSerializableEIP1559

async function signRemotely(chain: Chain, address: Address, wanted: Unsigned): Promise<Hash> {
  const transaction = complete(chain, wanted)
  const reply = await askSigner(chain.settings, 'eth_signTransaction', [
    {
      from: address,
      to: transaction.to,
      data: transaction.data,
      value: '0x0',
      nonce: toHex(transaction.nonce),
      gas: toHex(transaction.gas),
      maxFeePerGas: toHex(transaction.maxFeePerGas),
      maxPriorityFeePerGas: toHex(transaction.maxPriorityFeePerGas),
      chainId: toHex(transaction.chainId),
    },
  ])
  // web3signer returns the bytes, geth an object with them.
  const raw = typeof reply === 'string' ? reply : (reply as { raw?: unknown } | null)?.raw
  if (typeof raw !== 'string' || !(await isSignedBy(address, transaction, raw as Hash)))
    throw new SignerError('the signer returned something else than the transaction that it was asked to sign')
  return raw as Hash
}

/** Whether the bytes are exactly this transaction, signed by this address: a signer is not believed (R22). */
async function isSignedBy(address: Address, wanted: ReturnType<typeof complete>, raw: Hash): Promise<boolean> {
  try {
    const { r, s, yParity } = parseTransaction(raw as `0x02${string}`)
    if (!r || !s || yParity === undefined) return false
    if (serializeTransaction(wanted, { r, s, yParity }) !== raw.toLowerCase()) return false
    const signer = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })
    return signer.toLowerCase() === address
  } catch {
    // Not the bytes of a signed transaction.
    return false
  }
}

type SignerSettings = Pick<Partial<Chain['settings']>, 'signerUrl'>

/** The addresses whose keys the remote signer has; undefined if none is configured. */
export async function listSignerAddresses(settings: SignerSettings): Promise<Address[] | undefined> {
  if (!settings.signerUrl) return undefined
  const accounts = (await askSigner(settings, 'eth_accounts', [])) as string[]
  return accounts.map((account) => account.toLowerCase() as Address)
}

/** The transport does not repeat a call: the next pass does. */
async function askSigner({ signerUrl }: SignerSettings, method: string, params: unknown[]): Promise<unknown> {
  const transport = http(signerUrl, {
    fetchFn: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(SIGNER_TIMEOUT_MS) }),
  })
  try {
    return await transport({ retryCount: 0 }).request({ method, params } as never)
  } catch (error) {
    throw new SignerError(error instanceof BaseError ? error.shortMessage : String(error), { cause: error })
  }
}
