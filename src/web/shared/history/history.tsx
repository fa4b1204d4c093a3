import { Download, SearchX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { CsvRoute } from '../../../protocol/history.ts'
import type { InputOf } from '../../../protocol/route.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/states.tsx'
import { notify } from '../../../ui/toast.tsx'
import { call } from '../api/api.ts'
import { type PagedRoute, PagedTable, type PagedTableProps } from '../page/paged-table.tsx'
import { saveFile } from '../page/save-file.ts'
import { type Choice, type Filter, Filters, fieldsOf } from './filters.tsx'

type HistoryProps<R extends PagedRoute, Csv extends CsvRoute> = Omit<PagedTableProps<R>, 'inputFor'> & {
  csv: Csv
  title?: string
  choices: readonly Choice[]
  /** Fields of the calls that are not filters, such as the account of a statement. */
  input?: object
  leading?: ReactNode
}

/** A list of what happened, with filters, pages, and a CSV file of everything that matches. */
export function History<R extends PagedRoute, Csv extends CsvRoute>(props: HistoryProps<R, Csv>) {
  const { csv, title, choices, input = {}, leading, empty, ...table } = props
  const [filter, setFilter] = useState<Filter>({})
  const fields = { ...input, ...fieldsOf(filter) }
  const isFiltered = Object.keys(fieldsOf(filter)).length > 0
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        {title ? <h2 className="text-2xl">{title}</h2> : <span />}
        <CsvButton route={csv} input={fields as InputOf<Csv>} what={table.caption} />
      </div>
      <Filters
        choices={choices}
        filter={filter}
        onFilter={(changes) => setFilter({ ...filter, ...changes })}
        leading={leading}
      />
      <PagedTable
        // Other filters start again at the first page.
        key={JSON.stringify(fields)}
        {...table}
        inputFor={(paging) => ({ ...fields, ...paging }) as InputOf<R>}
        empty={isFiltered ? <NothingFound onClear={() => setFilter({})} /> : empty}
      />
    </div>
  )
}

const NothingFound = ({ onClear }: { onClear: () => void }) => (
  <Empty
    title="Nothing matches"
    icon={<SearchX size={24} />}
    action={
      <Button variant="outline" onClick={onClear}>
        Clear filters
      </Button>
    }
  >
    Choose other filters or more days.
  </Empty>
)

type CsvButtonProps<Csv extends CsvRoute> = { route: Csv; input: InputOf<Csv>; what: string }

function CsvButton<Csv extends CsvRoute>({ route, input, what }: CsvButtonProps<Csv>) {
  const [busy, setBusy] = useState(false)
  const download = async () => {
    setBusy(true)
    try {
      const { file_name, csv } = await call(route, input)
      saveFile(file_name, csv, 'text/csv')
    } catch (error) {
      notify.error((error as Error).message)
    }
    setBusy(false)
  }
  return (
    <Button
      variant="outline"
      size="s"
      busy={busy}
      icon={<Download size={16} aria-hidden="true" />}
      aria-label={`CSV: ${what}`}
      onClick={download}
    >
      CSV
    </Button>
  )
}
