import type { Address } from '../../protocol/ids.ts'
import { parseUsdt } from '../../protocol/money.ts'
import type { Chain } from '../chain/client.ts'
import { readVaultKeys } from '../chain/vault.ts'
import {
  callerOf,
  encodeKeyholderCall,
  findRefusal,
  type KeyholderCall,
  readProposals,
  type VaultChange,
  vaultChanges,
} from '../chain/vault-calls.ts'
import { callEffects } from '../chain/vault-words.ts'
import { type Command, table, wordAt, wrong } from './command.ts'

type Words = { words: string[] }

function readCall(ops: Words): KeyholderCall {
  const name = wordAt(ops, 0, 'The call')
  if (name === 'pause' || name === 'unpause') return [name]
  if (name === 'strike') return [name, readEpoch(wordAt(ops, 1, 'The epoch'))]
  if (name === 'accept' || name === 'cancel') return [name, readChange(ops)]
  if (name !== 'propose') throw wrong(`Unknown call. The calls are: ${Object.keys(callEffects).join(', ')}`)
  const change = readChange(ops)
  if (change === 'limits') return [name, change, NO_ADDRESS, readAmount(ops, 2), readAmount(ops, 3)]
  const to = readAddress(wordAt(ops, 2, 'The address'))
  return [name, change, to, change === 'surplus' ? readAmount(ops, 3) : 0n, 0n]
}

const NO_ADDRESS: Address = `0x${'0'.repeat(40)}`

function readChange(ops: Words): VaultChange {
  const change = vaultChanges.find((one) => one === wordAt(ops, 1, 'What changes'))
  if (!change) throw wrong(`Name what changes: ${vaultChanges.join(', ')}`)
  return change
}

function readEpoch(text: string): bigint {
  if (!/^\d{1,18}$/.test(text)) throw wrong('The epoch is a whole number')
  return BigInt(text)
}

function readAddress(text: string): Address {
  if (!/^0x[0-9a-f]{40}$/i.test(text)) throw wrong('This is not an address')
  return text.toLowerCase() as Address
}

const readAmount = (ops: Words, at: number): bigint => parseUsdt(wordAt(ops, at, 'The amount'))

async function findCaller(chain: Chain, call: KeyholderCall): Promise<{ caller: string; from: Address }> {
  const caller = callerOf(call)
  if (caller !== 'new owner') return { caller, from: (await readVaultKeys(chain))[caller] }
  const proposal = (await readProposals(chain)).find(({ change }) => change === 'owner')
  return { caller, from: proposal?.to ?? NO_ADDRESS }
}

/** Prints a call of the guardian or the owner, for their own wallet. It has no key and sends nothing. */
export const vaultCallCommand: Command = {
  name: 'vault-call',
  takes: '<call> [arguments]',
  summary: 'prints a call for the wallet of the guardian or owner: pause, strike 7, propose payer 0x…; sends nothing',
  async run(ops) {
    const { chain } = ops.context
    const call = readCall(ops)
    const { caller, from } = await findCaller(chain, call)
    const rows = [
      ['chain', String(chain.settings.chainId)],
      ['from', `${from}, the ${caller}`],
      ['to', `${chain.settings.vault}, the vault`],
      ['value', '0'],
      ['data', encodeKeyholderCall(call)],
      ['effect', callEffects[call[0]]],
    ]
    ops.write(table(['the call', ''], rows))
    const refusal = await findRefusal(chain, from, call)
    ops.write(
      refusal ? `\nThe vault would refuse this call now: ${refusal}` : '\nThe vault would accept this call now.',
    )
    return refusal ? 1 : 0
  },
}
