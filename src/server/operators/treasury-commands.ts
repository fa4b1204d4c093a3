import { formatUsdt, larger, micro, type Usdt, WEI_PER_MICRO } from '../../protocol/money.ts'
import { findNextNonce } from '../chain/payouts/payouts.ts'
import type { Hash } from '../chain/tables.ts'
import { bookTreasury, listUnknownOutflows, parseSigned, readSigned } from '../chain/treasury.ts'
import { listWallets, readHoldings } from '../chain/wallets.ts'
import type { Context } from '../context.ts'
import { adoptPayout, listCandidates, requireSignedRequest } from '../features/withdrawals/adopt.ts'
import { recordAction } from '../ledger/audit-log.ts'
import type { Tx } from '../platform/db.ts'
import { type Command, type Operator, type Ops, table, wordAt, wrong } from './command.ts'

/** What two operators agree on: the transaction, its signed bytes, and the withdrawal it paid, if any. */
export type Adoption = { hash: string; raw: string; withdrawal?: string }

/** Reads the transaction from the chain and checks it, before the request is stored. */
export async function prepareAdoption(ops: Ops): Promise<{ amount: Usdt; details: Adoption }> {
  const { db, chain } = ops.context
  const hash = wordAt(ops, 0, 'The hash').toLowerCase() as Hash
  if (!/^0x[0-9a-f]{64}$/.test(hash)) throw wrong('That is not a transaction hash')
  const withdrawal = ops.words[1]?.replace(/^withdrawal_/, '')
  if (withdrawal !== undefined && !/^[0-9a-f-]{36}$/.test(withdrawal)) throw wrong('This is not a withdrawal id')
  const { raw } = await readSigned(chain, hash)
  if (withdrawal) await requireSignedRequest(db, chain, withdrawal)
  const moved = (await listUnknownOutflows(db, hash)).reduce((sum, { amount }) => sum + amount, 0n)
  // A request needs an amount, even for a transaction that moved none of our USDT.
  return { amount: larger(micro(moved), micro(1n)), details: { hash, raw, ...(withdrawal && { withdrawal }) } }
}

/** Books the transaction. Everything is checked again from the signed bytes. */
export async function performAdoption(
  tx: Tx,
  { chain }: Context,
  { hash, raw, withdrawal }: Adoption,
  operator: Operator,
): Promise<string> {
  const signed = await parseSigned(chain, hash as Hash, raw as Hash)
  if (withdrawal) {
    await adoptPayout(tx, chain, signed, withdrawal)
    await recordAction(tx, { ...operator, what: `adopt ${hash} as the payout of withdrawal ${withdrawal}` })
    return 'Adopted. The worker settles the withdrawal within a few seconds.'
  }
  const outflow = await bookTreasury(tx, chain, signed)
  await recordAction(tx, { ...operator, what: `adopt ${hash}: ${formatUsdt(outflow)} USDT paid by the operator` })
  return outflow > 0n
    ? `Adopted. ${formatUsdt(outflow)} USDT were booked as paid by the operator.`
    : 'Adopted. It moved no money out of our addresses.'
}

/** Our addresses, and payments from them that the books do not know. */
async function treasury({ context, write }: Ops): Promise<undefined> {
  const { db, chain } = context
  const { hash: newest } = await chain.client.getBlock({ blockTag: 'finalized' })
  const wallets = await Promise.all(
    (await listWallets(db, chain)).map(async (address) => {
      const held = await readHoldings(chain, [address], newest)
      return [
        address,
        formatUsdt(micro(held / WEI_PER_MICRO)),
        String((await findNextNonce(db, chain, address)) ?? '–'),
      ]
    }),
  )
  write(table(['our address', 'USDT', 'next nonce'], wallets))
  const unknown = await listUnknownOutflows(db)
  if (unknown.length === 0) return void write('\nThe books know every payment from these addresses.')
  const cells = await Promise.all(
    unknown.map(async (outflow) => [
      outflow.hash,
      outflow.to,
      formatUsdt(outflow.amount),
      (await listCandidates(db, outflow)).join(', ') || '–',
    ]),
  )
  write('\nPayments that the books do not know. Two operators must adopt each of them:')
  write(table(['hash', 'to', 'USDT', 'withdrawal it may have paid'], cells))
  return undefined
}

export const treasuryCommand: Command = {
  name: 'treasury',
  summary: 'our addresses, and payments from them that the books do not know',
  run: treasury,
}
