import { ErrorState } from '../../../ui/states.tsx'
import type { CallError } from '../api/api.ts'

type FailedReadProps = { error: Pick<CallError, 'message' | 'detail'>; onRetry: () => unknown }

/** Takes the place of something that did not load: the words of its call, and a button to try again. */
export const FailedRead = ({ error, onRetry }: FailedReadProps) => (
  <ErrorState title={error.message} onRetry={() => void onRetry()}>
    {error.detail}
  </ErrorState>
)

/** The same for a small part of a page, in one line. */
export const FailedLine = ({ error }: Pick<FailedReadProps, 'error'>) => (
  <p role="alert" className="text-coral-ink text-sm">
    {error.message}
    {error.detail && ` ${error.detail}`}
  </p>
)
