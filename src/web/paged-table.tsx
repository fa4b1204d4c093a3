import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { PAGE_SIZE, type page, type Route } from '../protocol/route.ts'
import { ErrorState } from '../ui/states.tsx'
import { type Column, Pager, ROWS_PER_PAGE, Table } from '../ui/table.tsx'
import { useRead } from './api.ts'

type PagedRoute<Row extends z.ZodType> = Route<z.ZodType<{ page_no: number }>, ReturnType<typeof page<Row>>>

type PagedTableProps<Row extends z.ZodType> = {
  route: PagedRoute<Row>
  caption: string
  columns: Column<z.output<Row>>[]
  rowKey: (row: z.output<Row>, index: number) => string
  empty: ReactNode
  refetchIntervalMs?: number
}

/** A list of the server, five rows to a page; the server's next fifty are fetched when the pager runs past the last. */
export function PagedTable<Row extends z.ZodType>({ route, refetchIntervalMs, ...table }: PagedTableProps<Row>) {
  const [page, setPage] = useState(1)
  const first = (page - 1) * ROWS_PER_PAGE
  const read = useRead(
    route,
    { page_no: Math.floor(first / PAGE_SIZE) + 1 },
    refetchIntervalMs === undefined ? {} : { refetchIntervalMs },
  )
  if (read.isError) return <ErrorState onRetry={() => read.refetch()}>{read.error.message}</ErrorState>
  const rows = (read.data?.data ?? []).slice(first % PAGE_SIZE, (first % PAGE_SIZE) + ROWS_PER_PAGE)
  const lastPage = Math.max(1, Math.ceil((read.data?.total ?? 0) / ROWS_PER_PAGE))
  return (
    <>
      <Table {...table} rows={rows} loading={read.isPending} />
      {lastPage > 1 && <Pager page={page} lastPage={lastPage} onPage={setPage} />}
    </>
  )
}
