import { add, formatUsdt, micro, WEI_PER_MICRO, ZERO } from '../../protocol/money.ts'
import { findNextNonce } from '../chain/payouts/payouts.ts'
import type { Hash } from '../chain/tables.ts'
import { bookTreasury, listUnknownOutflows, parseSigned, readSigned } from '../chain/treasury.ts'
import { listWallets, readHoldings } from '../chain/wallets.ts'
import { adoptPayout, listCandidates, requireSignedRequest } from '../features/withdrawals/adopt.ts'
import { type ActCommand, type Command, type Ops, table, wordAt, wrong } from './command.ts'

/** Reads the transaction from the chain and checks it, before the act is stored. */
async function prepare(ops: Ops): Promise<Record<string, string>> {
  const { db, chain } = ops.context
  const hash = wordAt(ops, 0, 'The hash').toLowerCase() as Hash
  if (!/^0x[0-9a-f]{64}$/.test(hash)) throw wrong('That is not a transaction hash')
  const withdrawal = ops.words[1]?.replace(/^withdrawal_/, '')
  if (withdrawal !== undefined && !/^[0-9a-f-]{36}$/.test(withdrawal)) throw wrong('This is not a withdrawal id')
  const { raw } = await readSigned(chain, hash)
  if (withdrawal) {
    await requireSignedRequest(db, chain, withdrawal)
    return { hash, raw, withdrawal }
  }
  const moved = add(ZERO, ...(await listUnknownOutflows(db, hash)).map(({ amount }) => amount))
  return { hash, raw, amount: formatUsdt(moved) }
}

/** What two operators agree on: the transaction, its signed bytes, and the withdrawal it paid or the amount it moved. */
const adoptCommand: ActCommand = {
  name: 'adopt',
  takes: '<hash> [withdrawal]',
  summary: 'books a transaction of our wallets that the books do not know; two operators must sign',
  prepare,
  /** Everything is checked again from the signed bytes. */
  async perform(tx, { context: { chain }, act }) {
    const signed = await parseSigned(chain, act['hash'] as Hash, act['raw'] as Hash)
    if (act['withdrawal']) {
      await adoptPayout(tx, chain, signed, act['withdrawal'])
      return 'Adopted. The worker settles the withdrawal within a few seconds.'
    }
    const outflow = formatUsdt(await bookTreasury(tx, chain, signed))
    if (outflow !== act['amount'])
      throw wrong(`It moved ${outflow} USDT, which is not what was signed: propose it again`)
    return outflow === '0'
      ? 'Adopted. It moved no money out of our addresses.'
      : `Adopted. ${outflow} USDT were booked as paid by the operator.`
  },
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

export const treasuryCommands: (Command | ActCommand)[] = [
  {
    name: 'treasury',
    summary: 'our addresses, and payments from them that the books do not know',
    run: treasury,
  },
  adoptCommand,
]
