import { type Attestation, type AttestationKind, attestationDigest, attestations } from './attestations.ts'
import { fromHex, toHex } from './bytes.ts'
import { leafSecrets } from './leaf-keys.ts'
import { LEAF_ACCOUNTS, rootOf, type Sha256, type Sibling, type SumNode } from './merkle.ts'
import { recoverSigner } from './signer.ts'
import { VAULT_BALANCES, type VaultNode, vaultRootOf } from './vault-tree.ts'

/** The result of checking a kept JSON file. `operator` is the signer's address, for users to compare themselves. */
export type Verdict = {
  title: string
  isRight: boolean
  problems: string[]
  facts: [term: string, value: string][]
  operator: string | undefined
  /** Only for a balance proof: the root it leads to. */
  root?: string
}
type Json = Record<string, unknown>

/** Checks a receipt or a balance proof using only the file. Throws a readable error if it is neither. */
export async function checkKeptFile(text: string, issuer: string, sha256: Sha256): Promise<Verdict> {
  const file = objectOf(JSON.parse(text), 'The file')
  if ('receipt' in file) return checkReceipt(file, issuer)
  if ('leaf' in file) return checkBalanceProof(file, issuer, sha256)
  throw new Error('This is neither a receipt nor a balance proof')
}

function checkReceipt(file: Json, issuer: string): Verdict {
  const receipt = attestationOf('Receipt', file['receipt'])
  const problems = signatureProblems('Receipt', receipt, file, issuer)
  return {
    title: 'Receipt',
    isRight: problems.length === 0,
    problems,
    facts: Object.entries(receipt),
    operator: textOf(file['operator']),
  }
}

async function checkBalanceProof(file: Json, issuer: string, sha256: Sha256): Promise<Verdict> {
  const { epoch, ...snapshot } = objectOf(file['snapshot'], 'The snapshot')
  const leaf = objectOf(file['leaf'], 'The leaf')
  const balances = listOf(leaf['balances'])
  // Proofs from before the vault have neither a vault nor an epoch.
  const { root, nonceProblems } =
    'vault' in file
      ? await rootInVault(file, leaf, epoch, sha256)
      : { root: await rootInOldTree(file, leaf, snapshot, sha256), nonceProblems: [] }
  const signed = attestationOf('Snapshot', { ...snapshot, users: String(snapshot['users']) })
  const problems = [
    ...nonceProblems,
    ...(toHex(root.hash) === snapshot['root'] ? [] : ['The path does not lead to the root of the snapshot']),
    ...(root.sum === microOf(snapshot['total']) ? [] : ['The sums do not add up to the total of the snapshot']),
    ...(file['operator'] === null ? [] : signatureProblems('Snapshot', signed, file, issuer)),
  ]
  return {
    title: 'Balance proof',
    isRight: problems.length === 0,
    problems,
    facts: balances.map(({ account, amount }) => [textOf(account), textOf(amount)]),
    operator: file['operator'] === null ? undefined : textOf(file['operator']),
    root: toHex(root.hash),
  }
}

async function rootInOldTree(file: Json, leaf: Json, snapshot: Json, sha256: Sha256): Promise<SumNode> {
  const own = {
    snapshotId: uuidOf('snapshot', snapshot['id']),
    userId: uuidOf('user', leaf['user_id']),
    nonce: hexOf(leaf['nonce'], 16),
    balances: balancesOf(leaf, LEAF_ACCOUNTS, 'seven'),
  }
  return rootOf(own, listOf(file['siblings']).map(siblingOf), sha256)
}

/** A wrong leaf key would not open the leaf in later trees, so it is checked too: the nonce is made with it. */
async function rootInVault(file: Json, leaf: Json, epoch: unknown, sha256: Sha256) {
  if (!Number.isSafeInteger(epoch) || !Number.isSafeInteger(file['chain_id']))
    throw new Error('The epoch or the chain is not valid')
  const tree = {
    chainId: BigInt(file['chain_id'] as number),
    vault: addressBytes(file['vault']),
    epoch: BigInt(epoch as number),
  }
  const own = {
    userId: fromHex(uuidOf('user', leaf['user_id']).replaceAll('-', '')),
    wallet: addressBytes(leaf['wallet']),
    nonce: hexOf(leaf['nonce'], 16),
    paid: microOf(leaf['paid']),
    balances: balancesOf(leaf, VAULT_BALANCES, 'nine'),
  }
  const siblings = listOf(file['siblings']).map((row) => ({ ...siblingOf(row), isLeft: row['side'] === 'left' }))
  const root: VaultNode = await vaultRootOf(tree, own, siblings, sha256)
  const { nonce } = await leafSecrets(hexOf(file['leaf_key'], 32), tree.epoch, sha256)
  const isOwnKey = toHex(nonce) === leaf['nonce']
  return { root, nonceProblems: isOwnKey ? [] : ['The leaf key is not the one of this leaf'] }
}

function balancesOf(leaf: Json, names: readonly string[], count: string): bigint[] {
  const balances = listOf(leaf['balances'])
  if (balances.map(({ account }) => account).join() !== names.join())
    throw new Error(`The leaf does not have the ${count} balances in the right order`)
  return balances.map(({ amount }) => microOf(amount))
}

function addressBytes(value: unknown): Uint8Array {
  if (!textOf(value).startsWith('0x')) throw new Error('An address is not valid')
  return hexOf(textOf(value).slice(2), 20)
}

function signatureProblems<Kind extends AttestationKind>(
  kind: Kind,
  attestation: Attestation<Kind>,
  file: Json,
  issuer: string,
): string[] {
  const digest = attestationDigest(kind, { issuer, chainId: Number(file['chain_id']) }, attestation)
  const signer = recoverSigner(digest, textOf(file['signature']))
  return signer === file['operator'] ? [] : ['The operator did not sign this content']
}

/** Exactly the signed fields: an extra one would be shown although it is not signed. */
function attestationOf<Kind extends AttestationKind>(kind: Kind, value: unknown): Attestation<Kind> {
  const given = objectOf(value, `The ${kind.toLowerCase()}`)
  const fields: readonly string[] = attestations[kind]
  const isExact = Object.keys(given).length === fields.length && fields.every((name) => typeof given[name] === 'string')
  if (!isExact) throw new Error(`The ${kind.toLowerCase()} does not have exactly these fields: ${fields.join(', ')}`)
  return given as Attestation<Kind>
}

const siblingOf = ({ hash, sum, side }: Json): Sibling => {
  if (side !== 'left' && side !== 'right') throw new Error('A step of the path has no side')
  return { hash: hexOf(hash, 32), sum: microOf(sum), side }
}

function objectOf(value: unknown, what: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error(`${what} is not an object`)
  return value as Json
}

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map((row) => objectOf(row, 'A row')) : [])
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
/** `user_0190…` is the UUID 0190… with its kind as a prefix. */
function uuidOf(kind: string, value: unknown): string {
  const text = textOf(value)
  if (!text.startsWith(`${kind}_`)) throw new Error(`An id is not a ${kind} id`)
  return text.slice(kind.length + 1)
}

function hexOf(value: unknown, bytes: number): Uint8Array {
  const text = textOf(value)
  if (text.length !== bytes * 2 || !/^[0-9a-f]*$/.test(text)) throw new Error('A hash or nonce is not valid')
  return fromHex(text)
}

/** Converts decimal USDT to whole micro-USDT, exactly. */
function microOf(value: unknown): bigint {
  const [, whole, decimals = ''] = /^(0|[1-9]\d{0,11})(?:\.(\d{1,6}))?$/.exec(textOf(value)) ?? []
  if (whole === undefined) throw new Error('An amount is not valid')
  return BigInt(whole + decimals.padEnd(6, '0'))
}
