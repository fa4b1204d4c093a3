import { toHex } from './bytes.ts'
import { type Json, objectOf } from './kept-fields.ts'
import { type KeptProof, readKeptProof } from './kept-proofs.ts'
import type { Sha256 } from './merkle.ts'
import { findTreeProof, readTreeFile } from './tree-file.ts'
import { callData, proofCallData, replyWords } from './vault-calls.ts'
import {
  type EthRequest,
  type ExitStep,
  exitStepOf,
  readVaultState,
  readWalletState,
  type VaultState,
} from './vault-state.ts'
import { type VaultLeaf, type VaultSibling, vaultLeafSum } from './vault-tree.ts'

/**
 * What a user can do with a kept proof now. Everything is checked here, before the wallet is asked for anything: each
 * error is a sentence for the user. Amounts are micro-USDT unless a name says `units`.
 */
export type ExitPlan = {
  vault: string
  wallet: string
  state: VaultState
  step: ExitStep
  /** The balances in the last root, and what the vault has paid to the wallet after them. */
  sum: bigint
  paidSince: bigint
  /** What the user may claim. In a shortage everybody gets the same share of it. */
  claim: bigint
  isProven: boolean
  collectedUnits: bigint
  /** What an exit pays now, computed by the vault; 0 while exits are closed. */
  dueUnits: bigint
  /** The chain transaction of the next step; undefined while there is nothing to send. */
  data: string | undefined
}

/** Reads a proof file. Throws a sentence for the user if it cannot be used for an exit. */
export async function readExitProof(text: string, sha256: Sha256): Promise<KeptProof> {
  const file = parseFile(text)
  if ('receipt' in file) throw new Error('This is a receipt. Choose a balance proof.')
  if (!('leaf' in file)) throw new Error('This is not a balance proof.')
  if (!('vault' in file)) throw new Error('This proof is from before the vault. It cannot be used for an exit.')
  const proof = await readKeptProof(file, sha256)
  if (proof.problems.length > 0) throw new Error(`This proof was changed or damaged. ${proof.problems.join('. ')}.`)
  return proof
}

function parseFile(text: string): Json {
  try {
    return objectOf(JSON.parse(text), 'The file')
  } catch {
    throw new Error('This is not a balance proof.')
  }
}

/** Compares the proof with the chain and works out the next step. Only reads. */
export async function planExit(
  proof: KeptProof,
  treeFile: Uint8Array | undefined,
  request: EthRequest,
  sha256: Sha256,
): Promise<ExitPlan> {
  const vault = `0x${toHex(proof.tree.vault)}`
  await requireVault(proof, vault, request)
  const state = await readVaultState(request, vault)
  if (state.epoch === 0n) throw new Error('The vault has no root, so there is nothing to exit with.')
  const { leaf, siblings } = await findLastLeaf(proof, treeFile, state, sha256)
  const check = proofCallData('check', leaf, siblings)
  const reply = await request({ method: 'eth_call', params: [{ to: vault, data: check }, 'latest'] })
  if (replyWords(reply, 1)[0] !== 1n) throw new Error('The vault does not accept this proof. Try again in a minute.')
  const [step, own] = [exitStepOf(state), await readWalletState(request, vault, leaf.wallet)]
  const sum = vaultLeafSum(leaf)
  const paidSince = own.paid > leaf.paid ? own.paid - leaf.paid : 0n
  const exit = proofCallData('exit', leaf, siblings)
  const dueUnits = step === 'exit' ? await simulateExit(request, vault, exit) : 0n
  return {
    ...{ vault, wallet: `0x${toHex(leaf.wallet)}`, state, step, sum, paidSince, dueUnits },
    claim: own.isProven ? own.claim : sum > paidSince ? sum - paidSince : 0n,
    isProven: own.isProven,
    collectedUnits: own.collected,
    data: nextCall(step, dueUnits, exit),
  }
}

async function requireVault({ tree }: KeptProof, vault: string, request: EthRequest): Promise<void> {
  const chainId = BigInt((await request({ method: 'eth_chainId' })) as string)
  if (chainId !== tree.chainId)
    throw new Error(`Your wallet or node is on chain ${chainId}, but this proof is for chain ${tree.chainId}.`)
  const code = await request({ method: 'eth_getCode', params: [vault, 'latest'] })
  if (code === '0x') throw new Error(`There is no vault at ${vault} on chain ${chainId}.`)
}

type LastLeaf = { leaf: VaultLeaf; siblings: VaultSibling[] }

/** The user's leaf in the last root: from the proof if it is of that root, and otherwise from the tree file. */
async function findLastLeaf(
  proof: KeptProof,
  file: Uint8Array | undefined,
  last: VaultState,
  sha256: Sha256,
): Promise<LastLeaf> {
  const isLast = ({ hash, sum }: KeptProof['root']) => toHex(hash) === last.root && sum === last.total
  if (isLast(proof.root)) return proof
  const needed = `The vault's last root is number ${last.epoch}`
  if (!file)
    throw new Error(`${needed}, and your proof is of number ${proof.tree.epoch}. Add the file ${last.epoch}.tree.`)
  const { header } = readTreeFile(file)
  if (BigInt(header.chain_id) !== proof.tree.chainId || header.vault !== `0x${toHex(proof.tree.vault)}`)
    throw new Error('This tree file is of another vault than your proof.')
  if (BigInt(header.epoch) !== last.epoch)
    throw new Error(`${needed}, and this tree file is of number ${header.epoch}. Add the file ${last.epoch}.tree.`)
  if (header.root !== last.root || BigInt(header.total) !== last.total)
    throw new Error('This tree file does not lead to the root in the vault. Get a copy from another place.')
  const found = await findTreeProof(file, proof.leafKey, sha256)
  if (!found) throw new Error('Your balances are not in the last root. Your proof may be of another account.')
  return found
}

async function simulateExit(request: EthRequest, vault: string, data: string): Promise<bigint> {
  const reply = await request({ method: 'eth_call', params: [{ to: vault, data }, 'latest'] })
  return replyWords(reply, 1)[0] ?? 0n
}

function nextCall(step: ExitStep, dueUnits: bigint, exit: string): string | undefined {
  if (step === 'give notice') return callData('callExits()')
  if (step === 'open') return callData('openExits()')
  return step === 'exit' && dueUnits > 0n ? exit : undefined
}
