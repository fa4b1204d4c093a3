import { z } from 'zod'
import { figureText } from './figures.ts'
import { id } from './ids.ts'
import { orderId } from './plans.ts'
import { pass, quizGame } from './quiz.ts'
import { route, success } from './route.ts'
import { username } from './users.ts'

/** 128 random bits: a link that only its receivers know. */
export const shareToken = z.string().regex(/^[\w-]{22}$/, 'Not the link of a card')
const token = z.strictObject({ token: shareToken })

const count = z.int().min(0)
/** What a card shows. No figure is an amount of money. */
const figures = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('rings'), closed: count, rings: count }),
  z.strictObject({ kind: z.literal('streak'), days: count }),
  /** `rank`: today's place on the leaderboard when the card was made. */
  z.strictObject({ kind: z.literal('quiz'), score: count, hits: count, questions: count, rank: count }),
  /** A plan that was paid back after this many days. */
  z.strictObject({ kind: z.literal('plan'), tier: z.string(), days: count }),
])
export type ShareFigures = z.output<typeof figures>

const what = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('rings') }),
  z.strictObject({ kind: z.literal('streak') }),
  z.strictObject({ kind: z.literal('quiz'), game: id('game') }),
  z.strictObject({ kind: z.literal('plan'), order: orderId }),
])
export type ShareWhat = z.output<typeof what>

const changing = { method: 'POST', auth: 'user', changes: true, limit: 'play' } as const

export const shares = {
  create: route({
    ...changing,
    path: '/share/',
    summary:
      'Make a public link to a card with your rings, your streak, the result of a quiz game or a plan that was paid back',
    input: what,
    output: success({ token: shareToken, figures }),
    errors: ['not_found', 'nothing_to_share'],
  }),
  remove: route({
    ...changing,
    path: '/unshare/',
    summary: 'Remove one of your links. Its card is gone at once; copies in caches last five minutes',
    input: token,
    output: success({}),
    errors: ['not_found'],
  }),
  show: route({
    method: 'GET',
    path: '/share/{token}/',
    summary: 'What a link shows. Its card is an image at /api/share/{token}/card.png',
    auth: 'none',
    input: token,
    output: success({ username, figures }),
    errors: ['not_found'],
  }),
  duel: route({
    method: 'POST',
    path: '/share/{token}/duel/',
    summary: 'Answer the questions of a shared quiz game, without an account. The score cannot be kept',
    auth: 'none',
    limit: 'guest',
    input: token,
    output: success({ pass, game: quizGame }),
    errors: ['not_found'],
  }),
}

/** The words of a card: what is large on it, and the line below. */
export function shareWords(shown: ShareFigures): { title: string; text: string } {
  if (shown.kind === 'rings')
    return {
      title: `${shown.closed} of ${shown.rings} rings closed`,
      text: 'Move, eat well, breathe and learn.',
    }
  if (shown.kind === 'streak')
    return {
      title: `${figureText(shown.days)} ${shown.days === 1 ? 'day' : 'days'} in a row`,
      text: 'At least one ring closed, day after day.',
    }
  if (shown.kind === 'plan')
    return {
      title: `${shown.tier} plan completed`,
      text: `Held for ${figureText(shown.days)} days, and paid back in full.`,
    }
  const rank = shown.rank > 0 ? ` Rank ${figureText(shown.rank)} today.` : ''
  return {
    title: `Beat my ${figureText(shown.score)}`,
    text: `${shown.hits} of ${shown.questions} answers right.${rank} Same questions for you.`,
  }
}
