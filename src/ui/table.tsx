import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Skeleton } from './skeleton.tsx'

export type Column<Row> = {
  header: string
  cell: (row: Row, index: number) => ReactNode
  /** Right-aligned, in tabular figures. */
  numeric?: boolean
}

type TableProps<Row> = {
  caption: string
  columns: Column<Row>[]
  rows: Row[]
  rowKey: (row: Row, index: number) => string
  empty: ReactNode
  loading?: boolean
  /** Rows become cards on phones, also with few columns, because their cells are wide. */
  stacked?: boolean
  /** A last row, such as a total, with one cell per column. Not for stacked tables. */
  footer?: ReactNode[]
}

/** Tables with more columns are stacked on phones: see table.css. */
const COLUMNS_ON_PHONE = 3

export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, empty, loading = false, footer } = props
  const { stacked = columns.length > COLUMNS_ON_PHONE } = props
  if (!loading && rows.length === 0) return <>{empty}</>
  return (
    // A wide table scrolls inside its own region, which can be focused with the keyboard.
    <section aria-label={caption} className="-mx-1 overflow-x-auto px-1" tabIndex={loading ? -1 : 0}>
      <table className={`w-full border-separate border-spacing-0 ${stacked ? 'stacked' : ''}`} aria-busy={loading}>
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ header, numeric }) => (
              <th
                key={header}
                scope="col"
                className={`border-line border-b px-3 pb-3 font-semibold text-faint text-sm first:pl-1 last:pr-1 ${numeric ? 'text-right' : 'text-left'}`}
              >
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {loading
            ? ['a', 'b', 'c', 'd', 'e'].map((row) => <SkeletonRow key={row} columns={columns} />)
            : rows.map((row, index) => (
                <tr key={rowKey(row, index)} className="group animate-fade">
                  {columns.map(({ header, cell, numeric }) => (
                    <td
                      key={header}
                      data-label={header}
                      className={`${cellClass} ${numeric ? 'figures text-right' : ''}`}
                    >
                      {cell(row, index)}
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
        {footer && !loading && <Footer columns={columns} cells={footer} />}
      </table>
    </section>
  )
}

function Footer<Row>({ columns, cells }: { columns: Column<Row>[]; cells: ReactNode[] }) {
  return (
    <tfoot>
      <tr>
        {columns.map(({ header, numeric }, index) => (
          <td
            key={header}
            className={`border-line border-t px-3 pt-3.5 font-semibold first:pl-1 last:pr-1 ${numeric ? 'figures text-right' : ''}`}
          >
            {cells[index]}
          </td>
        ))}
      </tr>
    </tfoot>
  )
}

const cellClass = 'border-line/70 border-b px-3 py-3.5 first:pl-1 last:pr-1 group-last:border-0'

function SkeletonRow<Row>({ columns }: { columns: Column<Row>[] }) {
  return (
    <tr>
      {columns.map(({ header, numeric }) => (
        <td key={header} className={cellClass}>
          <Skeleton className={`h-5 ${numeric ? 'ml-auto w-20' : 'w-28 max-w-full'}`} />
        </td>
      ))}
    </tr>
  )
}

type PagerProps = {
  page: number
  lastPage: number
  onPage: (page: number) => void
  /** False where the specification wants 'Page N' alone. */
  showsLast?: boolean
}

export function Pager({ page, lastPage, onPage, showsLast = true }: PagerProps) {
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-3 pt-4">
      <Button
        variant="quiet"
        size="s"
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
        icon={<ChevronLeft size={16} aria-hidden="true" />}
      >
        Previous
      </Button>
      <span className="figures text-sm text-soft" aria-live="polite">
        Page {page}
        {showsLast && ` of ${lastPage}`}
      </span>
      <Button variant="quiet" size="s" disabled={page >= lastPage} onClick={() => onPage(page + 1)}>
        Next
        <ChevronRight size={16} aria-hidden="true" />
      </Button>
    </nav>
  )
}

/** The specification's page size, for the Re Top Up history. */
export const ROWS_PER_PAGE = 5

/** Client-side paging: the rows of one page. If the page no longer exists, the last page is shown. */
export function usePages<Row>(rows: Row[], total = rows.length) {
  const [wanted, setPage] = useState(1)
  const lastPage = Math.max(1, Math.ceil(total / ROWS_PER_PAGE))
  const page = Math.min(wanted, lastPage)
  return { page, lastPage, setPage, rows: rows.slice((page - 1) * ROWS_PER_PAGE, page * ROWS_PER_PAGE) }
}
