import type { Day } from '../../protocol/time.ts'

const format = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** "May 2030", from the first day of the month. */
export const monthText = (month: Day): string => format.format(new Date(month))
