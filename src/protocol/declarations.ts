import { z } from 'zod'
import { isCountry } from './countries.ts'
import { nothing, route, success } from './route.ts'
import { instant } from './time.ts'

/** The age that the app asks for if the operator has set none. */
export const DEFAULT_MINIMUM_AGE = 18
/** People move, but not daily: otherwise a blocked country could simply be replaced by the next answer. */
export const COUNTRY_CHANGE_DAYS = 30

const age = z.int().min(13).max(99)
const country = z.string().refine(isCountry, 'Choose the country you live in')

const declaration = z.strictObject({
  minimum_age: age,
  /** Whether the country has to be declared too, because some are blocked. */
  asks_country: z.boolean(),
  declared: z.strictObject({ age, country: country.nullable(), at: instant }).nullable(),
  /** Nothing more has to be declared before a bet or a purchase. */
  is_enough: z.boolean(),
  /** Why this user cannot bet and buy plans from here, or null. */
  blocked_because: z.string().nullable(),
})
export type Declaration = z.output<typeof declaration>

export const declarations = {
  read: route({
    method: 'POST',
    path: '/declaration/',
    summary: 'What you declared about your age and country, and whether it is enough to bet and to buy plans',
    auth: 'user',
    input: nothing,
    output: success({ data: declaration }),
  }),
  declare: route({
    method: 'POST',
    path: '/declare/',
    summary: `Declare that you are at least this old and, if countries are blocked, where you live. Another country is accepted after ${COUNTRY_CHANGE_DAYS} days`,
    auth: 'user',
    changes: true,
    limit: 'play',
    input: z.strictObject({ age, country: country.optional() }),
    output: success({ data: declaration }),
    errors: ['not_eligible', 'limit_reached'],
  }),
}
