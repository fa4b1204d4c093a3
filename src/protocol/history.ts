import { z } from 'zod'
import { PAGE_SIZE, page, pageNumber, pageSize, type Route, route, success } from './route.ts'
import { day } from './time.ts'

/** Limits a history to some days. Days are UTC, and both are included. */
const period = { from: day.optional(), to: day.optional() }

/** A number in a path or a query, where everything is text. */
export const numberText = z.codec(z.string().regex(/^[1-9][0-9]{0,8}$/, 'Not a number'), z.int(), {
  decode: Number,
  encode: String,
})

/** Chooses a page in the query of a GET. */
const pageQuery = {
  page_no: numberText.optional(),
  page_size: numberText.refine((size) => size <= PAGE_SIZE, `At most ${PAGE_SIZE} rows per page`).optional(),
}

type Definition<Path extends string, Filters extends z.ZodRawShape> = { path: Path; summary: string; filters: Filters }

/** A list of what happened, newest first, that can be filtered. Each history also has a CSV file. */
export const history = <Path extends string, Filters extends z.ZodRawShape, Row extends z.ZodType>({
  filters,
  row,
  ...rest
}: Definition<Path, Filters> & { row: Row }) =>
  route({
    ...rest,
    method: 'POST',
    auth: 'user',
    input: z.strictObject({ page_no: pageNumber, page_size: pageSize, ...filters, ...period }),
    output: page(row),
  })

/** The input of a history that the specification reads with GET. */
export const historyQuery = <Filters extends z.ZodRawShape>(filters: Filters) =>
  z.strictObject({ ...pageQuery, ...filters, ...period })

/** All rows of a history that match the filters, as a CSV file with the same columns. */
export const historyCsv = <Path extends string, Filters extends z.ZodRawShape>({
  filters,
  ...rest
}: Definition<Path, Filters>) =>
  route({
    ...rest,
    method: 'POST',
    auth: 'user',
    limit: 'auth',
    input: z.strictObject({ ...filters, ...period }),
    output: csvFile,
  })

const csvFile = success({ file_name: z.string(), csv: z.string() })
export type CsvRoute = Route<z.ZodType, typeof csvFile>
