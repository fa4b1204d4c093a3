import { sql } from 'kysely'
import { COUNTRY_CHANGE_DAYS, DEFAULT_MINIMUM_AGE, type Declaration } from '../../../protocol/declarations.ts'
import { AppError } from '../../../protocol/errors.ts'
import type { RequestContext } from '../../context.ts'
import type { Config } from '../../platform/config.ts'
import type { Db, Tx } from '../../platform/db.ts'

type Rules = Pick<Config, 'minimumAge' | 'blockedCountries'>
type Caller = Pick<RequestContext, 'config' | 'country' | 'db'> & { user: { number: number } }
type Declared = NonNullable<Declaration['declared']>

/** Without a setting the API asks for nothing: the specification's own calls work unchanged. */
const isEnforced = ({ minimumAge, blockedCountries }: Rules) => minimumAge !== undefined || blockedCountries.length > 0

/**
 * Why this call may not bet or buy a plan, or undefined. Only what spends money on a game or a plan asks: a user who is
 * blocked can always withdraw, transfer, export and write to support.
 */
export async function findRefusal({ config, country, db, user }: Caller): Promise<AppError | undefined> {
  if (!isEnforced(config)) return undefined
  const declared = await findDeclared(db, user.number)
  const blocked = whyBlocked(config, country, declared)
  if (blocked) return new AppError('country_blocked', blocked)
  if (isEnough(config, declared)) return undefined
  const where = config.blockedCountries.length > 0 ? ', and which country you live in' : ''
  return new AppError('declaration_required', `First declare that you are ${ageOf(config)} or older${where}.`)
}

export async function requireDeclared(caller: Caller): Promise<void> {
  const refusal = await findRefusal(caller)
  if (refusal) throw refusal
}

/** Why this user cannot bet and buy from here, whatever they declare now. */
export async function findBlock({ config, country, db, user }: Caller): Promise<string | null> {
  if (config.blockedCountries.length === 0) return null
  return whyBlocked(config, country, await findDeclared(db, user.number)) ?? null
}

export async function readDeclaration({ config, country, db, user }: Caller): Promise<Declaration> {
  const declared = (await findDeclared(db, user.number)) ?? null
  return {
    minimum_age: ageOf(config),
    asks_country: config.blockedCountries.length > 0,
    declared,
    is_enough: isEnough(config, declared),
    blocked_because: whyBlocked(config, country, declared) ?? null,
  }
}

/** Adds a declaration. The same answer twice is stored once. */
export async function declare(
  tx: Tx,
  { config, user }: Pick<Caller, 'config' | 'user'>,
  { age, country = null }: { age: number; country?: string | null | undefined },
): Promise<void> {
  if (age < ageOf(config))
    throw new AppError('not_eligible', `You have to be ${ageOf(config)} or older to bet and to buy plans.`, 'age')
  if (config.blockedCountries.length > 0 && country === null)
    throw new AppError('invalid_input', 'Choose the country you live in', 'country')
  // Two declarations at once would otherwise both find the same last answer.
  await sql`select from users where number = ${user.number} for no key update`.execute(tx)
  const last = await findDeclared(tx, user.number)
  if (last && last.age >= age && (country === null || last.country === country)) return
  if (last?.country && country !== null && last.country !== country) await refuseEarlyMove(tx, last)
  await tx
    .insertInto('declarations')
    .values({ user_number: user.number, age, country: country ?? last?.country ?? null })
    .execute()
}

async function refuseEarlyMove(tx: Tx, { at }: Declared): Promise<void> {
  const { rows } = await sql<{ days: number }>`
    select ceil(extract(epoch from ${at}::timestamptz + make_interval(days => ${COUNTRY_CHANGE_DAYS}) - now()) / 86400)::int
      as days`.execute(tx)
  const days = rows[0]?.days ?? 0
  if (days > 0)
    throw new AppError(
      'limit_reached',
      `You can change your country in ${days} ${days === 1 ? 'day' : 'days'}.`,
      'country',
    )
}

const ageOf = ({ minimumAge }: Rules): number => minimumAge ?? DEFAULT_MINIMUM_AGE

const isEnough = (rules: Rules, declared: Declared | null | undefined): boolean =>
  declared != null && declared.age >= ageOf(rules) && (rules.blockedCountries.length === 0 || declared.country !== null)

function whyBlocked({ blockedCountries }: Rules, ofCall: string | undefined, declared: Declared | null | undefined) {
  const found = [ofCall, declared?.country].find((code) => code && blockedCountries.includes(code))
  return (
    found &&
    `Bets and plans are not available in your country (${found}). You can still withdraw, transfer and export your data.`
  )
}

async function findDeclared(db: Db, userNumber: number): Promise<Declared | undefined> {
  return db
    .selectFrom('declarations')
    .select(['age', 'country', 'declared_at as at'])
    .where('user_number', '=', userNumber)
    .orderBy('declared_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}
