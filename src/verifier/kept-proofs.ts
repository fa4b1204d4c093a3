import { fromHex, toHex } from './bytes.ts'
import {
  addressBytes,
  balancesOf,
  hexOf,
  type Json,
  listOf,
  microOf,
  objectOf,
  siblingOf,
  uuidOf,
} from './kept-fields.ts'
import { leafSecrets } from './leaf-keys.ts'
import type { Sha256 } from './merkle.ts'
import {
  VAULT_BALANCES,
  type VaultLeaf,
  type VaultNode,
  type VaultSibling,
  type VaultTree,
  vaultRootOf,
} from './vault-tree.ts'

/** A balance proof in the vault's tree, as a user keeps it. `root` is where its path leads. */
export type KeptProof = {
  tree: VaultTree
  leaf: VaultLeaf
  siblings: VaultSibling[]
  root: VaultNode
  leafKey: Uint8Array
  problems: string[]
}

/**
 * Computes the root from the leaf and compares it with the one in the file. A wrong leaf key would not open the leaf in
 * later trees, so it is checked too: the nonce is made with it.
 */
export async function readKeptProof(file: Json, sha256: Sha256): Promise<KeptProof> {
  const [snapshot, own] = [objectOf(file['snapshot'], 'The snapshot'), objectOf(file['leaf'], 'The leaf')]
  const tree = {
    chainId: countOf(file['chain_id']),
    vault: addressBytes(file['vault']),
    epoch: countOf(snapshot['epoch']),
  }
  const leaf = {
    userId: fromHex(uuidOf('user', own['user_id']).replaceAll('-', '')),
    wallet: addressBytes(own['wallet']),
    nonce: hexOf(own['nonce'], 16),
    paid: microOf(own['paid']),
    balances: balancesOf(own, VAULT_BALANCES, 'nine'),
  }
  const siblings = listOf(file['siblings'])
    .map(siblingOf)
    .map(({ hash, sum, side }) => ({ hash, sum, isLeft: side === 'left' }))
  const leafKey = hexOf(file['leaf_key'], 32)
  const root = await vaultRootOf(tree, leaf, siblings, sha256)
  const { nonce } = await leafSecrets(leafKey, tree.epoch, sha256)
  const problems = [
    ...(toHex(nonce) === own['nonce'] ? [] : ['The leaf key is not the one of this leaf']),
    ...rootProblems(root, snapshot),
  ]
  return { tree, leaf, siblings, root, leafKey, problems }
}

export function rootProblems(root: VaultNode, snapshot: Json): string[] {
  return [
    ...(toHex(root.hash) === snapshot['root'] ? [] : ['The path does not lead to the root of the snapshot']),
    ...(root.sum === microOf(snapshot['total']) ? [] : ['The sums do not add up to the total of the snapshot']),
  ]
}

function countOf(value: unknown): bigint {
  if (!Number.isSafeInteger(value)) throw new Error('The epoch or the chain is not valid')
  return BigInt(value as number)
}
