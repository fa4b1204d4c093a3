import { Receipt } from 'lucide-react'
import { z } from 'zod'
import { balance, type StatementRow, type UserAccountName } from '../../protocol/balance.ts'
import { shortAddress } from '../../protocol/short-address.ts'
import { trust } from '../../protocol/trust.ts'
import { shownName } from '../../protocol/users.ts'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { dateTimeText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Select } from '../../ui/select.tsx'
import { Empty } from '../../ui/states.tsx'
import type { Column } from '../../ui/table.tsx'
import { notify } from '../../ui/toast.tsx'
import { call } from '../shared/api/api.ts'
import { History } from '../shared/history/history.tsx'
import { accountTexts } from '../shared/money/accounts.ts'
import { saveJson } from '../shared/page/save-file.ts'
import { accountOptions, kindName, kindOptions } from './kinds.ts'

type StatementProps = { account: UserAccountName; onAccount: (account: UserAccountName) => void }

/** The statement of one account, newest first, with the balance after each posting. */
export function Statement({ account, onAccount }: StatementProps) {
  const accounts = (
    <Field label="Account">
      {(control) => (
        <Select
          {...control}
          options={accountOptions}
          value={account}
          onChange={(event) => onAccount(event.target.value as UserAccountName)}
        />
      )}
    </Field>
  )
  return (
    <Card>
      <History
        route={balance.statement}
        csv={balance.statementCsv}
        title={accountTexts[account].name}
        caption="Transactions, newest first"
        input={{ account }}
        leading={accounts}
        choices={[{ name: 'kind', label: 'Type', options: kindOptions(account) }]}
        columns={columnsOf(account)}
        rowKey={({ number }) => String(number)}
        stacked
        empty={<Empty title="No transactions found">Money that goes into or out of this account appears here.</Empty>}
      />
    </Card>
  )
}

const columnsOf = (account: UserAccountName): Column<StatementRow>[] => [
  { header: 'Transaction', cell: (row) => <Transaction account={account} row={row} /> },
  {
    header: 'Amount',
    numeric: true,
    cell: ({ amount }) => (
      <Money amount={amount} plus exact unit={false} className={amount > 0n ? 'text-leaf-ink' : ''} />
    ),
  },
  {
    header: 'Balance',
    numeric: true,
    cell: ({ balance_after }) => <Money amount={balance_after} exact unit={false} />,
  },
]

function Transaction({ account, row }: { account: UserAccountName; row: StatementRow }) {
  return (
    <div>
      <span className="block font-semibold">{kindName(row.kind)}</span>
      {row.counterparty && <Counterparty name={row.counterparty} received={row.amount > 0n} />}
      {row.note && <span className="wrap-anywhere block max-w-80 text-soft text-sm">{row.note}</span>}
      <div className="flex flex-wrap items-center gap-x-4">
        <time dateTime={row.posted_at.toISOString()} className="whitespace-nowrap text-faint text-sm">
          {dateTimeText(row.posted_at)}
        </time>
        <button
          type="button"
          aria-label={`Receipt for ${kindName(row.kind)}, transaction ${row.number}`}
          className="flex items-center gap-1 rounded py-1 font-semibold text-leaf-ink text-sm hover:underline"
          onClick={() => saveReceipt(account, row.number)}
        >
          <Receipt size={14} aria-hidden="true" /> Receipt
        </button>
      </div>
    </div>
  )
}

/** A user's name, or the shortened address of a wallet. */
const Counterparty = ({ name, received }: { name: string; received: boolean }) => (
  <span className="wrap-anywhere block text-sm" title={name}>
    {received ? 'from' : 'to'} {name.startsWith('0x') ? shortAddress(name) : shownName(name)}
  </span>
)

/** Receipts are signed by the operator. Users can check them on the trust page or with the offline verifier. */
async function saveReceipt(account: UserAccountName, number: number): Promise<void> {
  try {
    const { data } = await call(trust.receipt, { account, number })
    saveJson(`receipt-${account}-${number}.json`, z.encode(trust.receipt.output.shape.data, data))
  } catch (error) {
    notify.error((error as Error).message)
  }
}
