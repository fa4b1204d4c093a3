import { type ReactNode, useState } from 'react'
import type { z } from 'zod'
import { PAGE_SIZE, type page, type Route } from '../../../protocol/route.ts'
import { type Column, Pager, ROWS_PER_PAGE, Table } from '../../../ui/table.tsx'
import { useRead } from '../api/api.ts'
import { FailedRead } from './failed-read.tsx'

type PagedTableProps<Row extends z.ZodType, Input> = {
  route: Route<z.ZodType<Input>, ReturnType<typeof page<Row>>>
  caption: string
  columns: Column<z.output<Row>>[]
  rowKey: (row: z.output<Row>, index: number) => string
  empty: ReactNode
  /** The route's input for one server page; `{ page_no }` unless the spec names the field differently. */
  inputFor?: (pageNo: number) => Input
  refetchIntervalMs?: number
}

/** A paged list from the server. Shows five rows per page and fetches the next server page of fifty when needed. */
export function PagedTable<Row extends z.ZodType, Input>({
  route,
  inputFor = (page_no) => ({ page_no }) as Input,
  refetchIntervalMs,
  ...table
}: PagedTableProps<Row, Input>) {
  const [page, setPage] = useState(1)
  const first = (page - 1) * ROWS_PER_PAGE
  const input = inputFor(Math.floor(first / PAGE_SIZE) + 1)
  const read = useRead(route, input, refetchIntervalMs === undefined ? {} : { refetchIntervalMs })
  if (read.isError) return <FailedRead error={read.error} onRetry={read.refetch} />
  const rows = (read.data?.data ?? []).slice(first % PAGE_SIZE, (first % PAGE_SIZE) + ROWS_PER_PAGE)
  const lastPage = Math.max(1, Math.ceil((read.data?.total ?? 0) / ROWS_PER_PAGE))
  return (
    <>
      <Table {...table} rows={rows} loading={read.isPending} />
      {lastPage > 1 && <Pager page={page} lastPage={lastPage} onPage={setPage} />}
    </>
  )
}
