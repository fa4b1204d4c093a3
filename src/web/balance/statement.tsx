import { Download, Receipt } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { balance, type StatementRow, type UserAccountName } from '../../protocol/balance.ts'
import { formatUsdt } from '../../protocol/money.ts'
import type { Day } from '../../protocol/time.ts'
import { trust } from '../../protocol/trust.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { dateTimeText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { Select } from '../../ui/select.tsx'
import { Empty } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { notify } from '../../ui/toast.tsx'
import { call, useRead } from '../shared/api/api.ts'
import { accountTexts } from '../shared/money/accounts.ts'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { saveFile, saveJson } from '../shared/page/save-file.ts'
import { accountOptions, kindName, kindOptions } from './kinds.ts'

const ROWS_MAX = 10

type Filter = { kind: string; from: string; to: string }
type StatementProps = { account: UserAccountName; onAccount: (account: UserAccountName) => void }

/** The statement of one account, newest first, with the balance after each posting. */
export function Statement({ account, onAccount }: StatementProps) {
  const [filter, setFilter] = useState<Filter>({ kind: '', from: '', to: '' })
  // A stack of page cursors; the last one is the page shown.
  const [starts, setStarts] = useState<(number | undefined)[]>([undefined])
  const before = starts.at(-1)
  const input = inputOf(account, filter)
  const { data, isPending, isError, error, refetch } = useRead(balance.statement, {
    ...input,
    limit: ROWS_MAX,
    ...(before && { before }),
  })
  const narrow = (changes: Partial<Filter>) => {
    setFilter({ ...filter, ...changes })
    setStarts([undefined])
  }
  const next = data?.next ?? undefined
  return (
    <Card className="grid gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-2xl">{accountTexts[account].name}</h2>
        <Button
          variant="outline"
          size="s"
          icon={<Download size={16} aria-hidden="true" />}
          onClick={() => download(input)}
        >
          CSV
        </Button>
      </div>
      <Filters account={account} onAccount={onAccount} filter={filter} onFilter={narrow} />
      {isError ? (
        <FailedRead error={error} onRetry={refetch} />
      ) : (
        <Rows account={account} rows={data?.data ?? []} loading={isPending} />
      )}
      {(starts.length > 1 || next !== undefined) && (
        <nav aria-label="Pages" className="flex justify-between gap-3">
          <Button
            variant="quiet"
            size="s"
            disabled={starts.length === 1}
            onClick={() => setStarts(starts.slice(0, -1))}
          >
            Newer
          </Button>
          <Button variant="quiet" size="s" disabled={next === undefined} onClick={() => setStarts([...starts, next])}>
            Older
          </Button>
        </nav>
      )}
    </Card>
  )
}

type FiltersProps = StatementProps & { filter: Filter; onFilter: (changes: Partial<Filter>) => void }

function Filters({ account, onAccount, filter, onFilter }: FiltersProps) {
  return (
    <div className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4 [&>div]:min-w-0">
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
      <Field label="Type">
        {(control) => (
          <Select
            {...control}
            options={kindOptions(account)}
            value={filter.kind}
            onChange={(event) => onFilter({ kind: event.target.value })}
          />
        )}
      </Field>
      <Field label="From">
        {(control) => (
          <TextInput
            {...control}
            type="date"
            className="min-w-0 max-sm:px-2.5 max-sm:text-sm"
            value={filter.from}
            onChange={(event) => onFilter({ from: event.target.value })}
          />
        )}
      </Field>
      <Field label="To">
        {(control) => (
          <TextInput
            {...control}
            type="date"
            className="min-w-0 max-sm:px-2.5 max-sm:text-sm"
            value={filter.to}
            onChange={(event) => onFilter({ to: event.target.value })}
          />
        )}
      </Field>
    </div>
  )
}

type RowsProps = { account: UserAccountName; rows: StatementRow[]; loading: boolean }

function Rows({ account, rows, loading }: RowsProps) {
  return (
    <Table
      caption="Transactions, newest first"
      columns={[
        {
          header: 'Transaction',
          cell: (row) => (
            <>
              <span className="block font-semibold">{kindName(row.kind)}</span>
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
            </>
          ),
        },
        {
          header: 'Amount',
          numeric: true,
          cell: (row) => (
            <span title={`${formatUsdt(row.amount)} USDT`} className={row.amount > 0n ? 'text-leaf-ink' : ''}>
              <Money amount={row.amount} plus unit={false} />
            </span>
          ),
        },
        {
          header: 'Balance',
          numeric: true,
          cell: (row) => (
            <span title={`${formatUsdt(row.balance_after)} USDT`}>
              <Money amount={row.balance_after} unit={false} />
            </span>
          ),
        },
      ]}
      rows={rows}
      rowKey={(row) => String(row.number)}
      loading={loading}
      empty={<Empty title="No transactions found">Money that goes into or out of this account appears here.</Empty>}
    />
  )
}

const inputOf = (account: UserAccountName, { kind, from, to }: Filter) => ({
  account,
  ...(kind && { kind }),
  ...(from && { from: from as Day }),
  ...(to && { to: to as Day }),
})

/** Receipts are signed by the operator. Users can check them on the trust page or with the offline verifier. */
async function saveReceipt(account: UserAccountName, number: number): Promise<void> {
  try {
    const { data } = await call(trust.receipt, { account, number })
    saveJson(`receipt-${account}-${number}.json`, z.encode(trust.receipt.output.shape.data, data))
  } catch (error) {
    notify.error((error as Error).message)
  }
}

async function download(input: ReturnType<typeof inputOf>): Promise<void> {
  try {
    const { file_name, csv } = await call(balance.statementCsv, input)
    saveFile(file_name, csv, 'text/csv')
  } catch (error) {
    notify.error((error as Error).message)
  }
}
