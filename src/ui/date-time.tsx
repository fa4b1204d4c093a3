import { dateTimeText } from './format.ts'

/** Date and time on one line, in a machine-readable `time` element. */
export const DateTime = ({ at }: { at: Date }) => (
  <time dateTime={at.toISOString()} className="whitespace-nowrap">
    {dateTimeText(at)}
  </time>
)
