import { dateTimeText } from './format.ts'

/** A moment on one line, for eyes and for machines. */
export const DateTime = ({ at }: { at: Date }) => (
  <time dateTime={at.toISOString()} className="whitespace-nowrap">
    {dateTimeText(at)}
  </time>
)
