import type { FormEvent, ReactNode } from 'react'
import { Card } from '../../../ui/card.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { CallError } from '../api/api.ts'
import { FailedRead } from '../page/failed-read.tsx'

type MoneyPageProps<Data> = {
  read: { data: Data | undefined; error: CallError | null; refetch: () => unknown }
  children: (data: Data) => ReactNode
}

/** Renders content that needs the user's balances: a placeholder while they load, a retry button if that fails. */
export function WithBalances<Data>({ read, children }: MoneyPageProps<Data>) {
  if (read.data !== undefined) return children(read.data)
  if (!read.error) return <Placeholder />
  return (
    <Card>
      <FailedRead error={read.error} onRetry={read.refetch} />
    </Card>
  )
}

type MoneyFormProps = { label: string; onSubmit: () => void; children: ReactNode; aside: ReactNode }

/** A form that moves money, with the background information beside it. */
export function MoneyForm({ label, onSubmit, children, aside }: MoneyFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <div className={columns}>
      <Card padding="l" aria-label={label}>
        <form noValidate className="grid gap-6" onSubmit={submit}>
          {children}
        </form>
      </Card>
      <div className="grid gap-5">{aside}</div>
    </div>
  )
}

const columns = 'grid items-start gap-5 wide:grid-cols-[minmax(0,5fr)_minmax(0,3fr)]'

const Placeholder = () => (
  <div className={columns} role="status" aria-label="Loading your balances">
    <Card className="grid gap-6" padding="l">
      <div className="grid grid-cols-2 gap-3">
        <Skeleton className="h-26 rounded-[18px]" />
        <Skeleton className="h-26 rounded-[18px]" />
      </div>
      <Skeleton className="h-13" />
      <Skeleton className="h-16" />
      <Skeleton className="h-14" />
    </Card>
    <Skeleton className="h-48 rounded-card" />
  </div>
)
