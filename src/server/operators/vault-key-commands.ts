import type { Address } from '../../protocol/ids.ts'
import { formatUsdt, micro } from '../../protocol/money.ts'
import { readBnb } from '../chain/gas.ts'
import { type KeyPlace, listKeyPlaces, SEEN_MINUTES } from '../chain/key-places.ts'
import { readVaultKeys, type VaultKey, vaultKeys } from '../chain/vault.ts'
import { type Proposal, readProposals } from '../chain/vault-calls.ts'
import { keyRights, withoutKey } from '../chain/vault-words.ts'
import { type Command, type Ops, table } from './command.ts'

/** Where the vault's four keys are. Workers say which of them they can sign with (chain/key-places.ts). */
async function keys({ context: { db, chain }, write }: Ops): Promise<number> {
  const [inVault, places, proposals] = await Promise.all([
    readVaultKeys(chain),
    listKeyPlaces(db),
    readProposals(chain),
  ])
  const rows = await Promise.all(
    vaultKeys.map(async (key) => {
      const address = inVault[key]
      const gas = await readBnb(chain, address)
      return [key, address, describePlaces(places, address), gas, keyRights[key]]
    }),
  )
  write(table(['key', 'address in the vault', 'where the key is', 'BNB', 'may'], rows))
  if (proposals.length > 0) write(`\n${table(['proposed', 'what', 'can be accepted'], proposals.map(proposalRow))}`)
  const problems = findProblems(inVault, places)
  if (problems.length > 0) write(`\n${problems.join('\n')}`)
  return problems.length > 0 ? 1 : 0
}

function describePlaces(places: KeyPlace[], address: Address): string {
  const known = places.filter((place) => place.address === address)
  const texts = known.map(
    ({ host, place, isNow }) => `${host}: ${place}${isNow ? '' : `, not seen for ${SEEN_MINUTES} minutes`}`,
  )
  return texts.length > 0 ? texts.join('; ') : 'in no process that we know'
}

const at = (seconds: bigint): string => new Date(Number(seconds) * 1000).toISOString()
const usdt = (amount: bigint): string => `${formatUsdt(micro(amount))} USDT`

function proposalRow({ change, to, micro: amount, singleMax, acceptFrom, acceptUntil }: Proposal): string[] {
  const what = change === 'limits' ? `${usdt(amount)} a day, ${usdt(singleMax)} each` : to
  const text = change === 'surplus' ? `${usdt(amount)} to ${to}` : what
  return [change, text, `${at(acceptFrom)} to ${at(acceptUntil)}`]
}

/** What is wrong now, one sentence each. Rows of workers that are gone are only shown. */
function findProblems(inVault: Record<VaultKey, Address>, places: KeyPlace[]): string[] {
  const now = places.filter(({ isNow }) => isNow)
  const wrong = now.flatMap(({ role, address, host }) => {
    if (address === inVault[role]) return []
    const other = vaultKeys.find((key) => inVault[key] === address)
    const held = other ? ` That is the key of the ${other}: it must be elsewhere.` : ''
    return [`WRONG: ${host} signs as ${role} with ${address}, but the vault's ${role} is ${inVault[role]}.${held}`]
  })
  const missing = (['payer', 'publisher'] as const).flatMap((role) =>
    now.some(({ address }) => address === inVault[role])
      ? []
      : [`MISSING: no worker of the last ${SEEN_MINUTES} minutes can sign as ${role}. ${withoutKey[role]}`],
  )
  return [...wrong, ...missing]
}

export const keysCommand: Command = {
  name: 'keys',
  summary: "where the vault's keys are, their BNB, and what each may do; exits with 1 if one is wrong or missing",
  run: keys,
}
