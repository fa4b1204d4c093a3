import type { Usdt } from '../../protocol/money.ts'
import type { OutputOf } from '../../protocol/route.ts'
import type { trust } from '../../protocol/trust.ts'
import { Card } from '../../ui/card.tsx'
import { exactMoneyText } from '../../ui/format.ts'
import { Table } from '../../ui/table.tsx'
import { AsOf } from '../shared/page/as-of.tsx'

const kindNames: Record<string, string> = {
  plan: 'Plans',
  reward: 'Daily rewards',
  referral: 'Referral rewards',
  wallet: 'Wallet balances',
  bet: 'Bet wallets',
  health: 'Health balances',
  hold: 'On hold',
  bet_escrow: 'Stakes in open rounds',
  payout_pending: 'Withdrawals in progress',
}

type Summary = OutputOf<typeof trust.summary>['data']

/** The parts of what we owe, with all decimals, so that they add up to the total. */
export function OwedCard({ summary: { owed, liabilities, measured_at } }: { summary: Summary }) {
  return (
    <Card className="grid content-start gap-4">
      <div>
        <h2 className="font-display text-xl">What we owe</h2>
        <AsOf at={measured_at} className="text-faint text-sm" />
      </div>
      <Table
        caption="What we owe, by type"
        rows={owed}
        rowKey={({ kind }) => kind}
        empty={null}
        columns={[
          {
            header: 'Type',
            cell: ({ kind, amount }) => <Type name={kindNames[kind] ?? kind} {...{ amount, liabilities }} />,
          },
          { header: 'USDT', cell: ({ amount }) => exactMoneyText(amount), numeric: true },
        ]}
        footer={['Owed to users', exactMoneyText(liabilities)]}
      />
    </Card>
  )
}

function Type({ name, amount, liabilities }: { name: string; amount: Usdt; liabilities: Usdt }) {
  return (
    <>
      {name}
      {amount > 0n && <span className="ml-2 text-faint text-sm">{Number((amount * 1000n) / liabilities) / 10}%</span>}
    </>
  )
}
