import { brand } from './brand.ts'
import type { Refusal } from './rules.ts'

/** Words under which a user could pose as us, or have the name of a deleted user. */
const RESERVED = [
  brand.name.toLowerCase(),
  'admin',
  'administrator',
  'deleted',
  'help',
  'helpdesk',
  'mod',
  'moderator',
  'official',
  'operator',
  'owner',
  'root',
  'security',
  'service',
  'staff',
  'support',
  'system',
  'team',
  'treasury',
]

/** Usernames are ASCII, so these are all the characters that look alike. */
const LOOK_ALIKES: [RegExp, string][] = [
  [/0/g, 'o'],
  [/[1i]/g, 'l'],
  [/2/g, 'z'],
  [/3/g, 'e'],
  [/4/g, 'a'],
  [/5/g, 's'],
  [/7/g, 't'],
  [/8/g, 'b'],
  [/[69]/g, 'g'],
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/cl/g, 'd'],
]

/** The letters that a name seems to show: `4dm_1n` and `adrnin` both show `admln`, as `admin` does. */
const shownLetters = (name: string): string =>
  LOOK_ALIKES.reduce((text, [pattern, letter]) => text.replace(pattern, letter), name.replaceAll('_', ''))

/** Matches a word with any of its letters repeated, as in `aadmiin`. */
const repeatable = (word: string): string => shownLetters(word).replace(/(.)\1*/g, '$1+')

const brandAnywhere = new RegExp(repeatable(brand.name.toLowerCase()))
const onlyReserved = new RegExp(`^(?:(?:${RESERVED.map(repeatable).join('|')})s?)+$`)
const isReserved = (name: string): boolean =>
  onlyReserved.test(shownLetters(name)) || onlyReserved.test(shownLetters(name.replace(/^[\d_]+|[\d_]+$/g, '')))

/** Refuses names made of reserved words, a reserved word next to an underscore, and the brand anywhere. */
export function refuseUsername(name: string): Refusal | undefined {
  const isOurs = brandAnywhere.test(shownLetters(name)) || isReserved(name) || name.split('_').some(isReserved)
  return isOurs
    ? { code: 'username_reserved', message: 'This name could be mistaken for our team. Choose another one.' }
    : undefined
}
