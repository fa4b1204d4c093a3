import { RefreshCw } from 'lucide-react'
import { Card } from '../../ui/card.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { Money } from '../../ui/money.tsx'
import { Empty } from '../../ui/states.tsx'
import { Pager, ROWS_PER_PAGE, Table } from '../../ui/table.tsx'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { PageHead } from '../shared/page/page-head.tsx'
import { TopUpLink } from './top-up-link.tsx'
import { useTopUpHistory } from './use-top-up-history.ts'

export function TopUpHistoryPage() {
  const { rows, page, lastPage, setPage, isPending, error, refetch } = useTopUpHistory()
  return (
    <>
      <PageHead
        title="Re-Rop-Up History"
        note="top-up history"
        subtitle="Track all your Re-Top-Up status"
        aside={<TopUpLink />}
      />
      <Card>
        {error ? (
          <FailedRead error={error} onRetry={refetch} />
        ) : (
          <>
            <Table
              caption="Re top ups, newest first"
              columns={[
                { header: '#', cell: (_row, index) => (page - 1) * ROWS_PER_PAGE + index + 1 },
                {
                  header: 'Amount',
                  cell: (row) => <Money amount={row.Plan_Amount} exact className="font-semibold" />,
                },
                { header: 'Type', cell: (row) => row.Plan_name },
                {
                  header: 'Date',
                  cell: (row) => <DateTime at={row.start_date} />,
                },
              ]}
              rows={rows}
              rowKey={(row) => `${row.order_id} ${row.package_type}`}
              empty={<Empty title="No internal transfer history available" icon={<RefreshCw size={24} />} />}
              loading={isPending}
            />
            {!isPending && <Pager page={page} lastPage={lastPage} onPage={setPage} showsLast={false} />}
          </>
        )}
      </Card>
    </>
  )
}
