import { type Attestation, type AttestationKind, attestationDigest, attestations } from './attestations.ts'
import { toHex } from './bytes.ts'
import { balancesOf, hexOf, type Json, listOf, objectOf, siblingOf, textOf, uuidOf } from './kept-fields.ts'
import { readKeptProof, rootProblems } from './kept-proofs.ts'
import { LEAF_ACCOUNTS, rootOf, type Sha256, type SumNode } from './merkle.ts'
import { recoverSigner } from './signer.ts'

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
  const { epoch: _epoch, ...snapshot } = objectOf(file['snapshot'], 'The snapshot')
  const leaf = objectOf(file['leaf'], 'The leaf')
  const balances = listOf(leaf['balances'])
  // Proofs from before the vault have neither a vault nor an epoch.
  const { root, problems: pathProblems } =
    'vault' in file ? await readKeptProof(file, sha256) : await readOldProof(file, leaf, snapshot, sha256)
  const signed = attestationOf('Snapshot', { ...snapshot, users: String(snapshot['users']) })
  const problems = [
    ...pathProblems,
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

type OldProof = { root: SumNode; problems: string[] }

async function readOldProof(file: Json, leaf: Json, snapshot: Json, sha256: Sha256): Promise<OldProof> {
  const own = {
    snapshotId: uuidOf('snapshot', snapshot['id']),
    userId: uuidOf('user', leaf['user_id']),
    nonce: hexOf(leaf['nonce'], 16),
    balances: balancesOf(leaf, LEAF_ACCOUNTS, 'seven'),
  }
  const root = await rootOf(own, listOf(file['siblings']).map(siblingOf), sha256)
  return { root, problems: rootProblems(root, snapshot) }
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
