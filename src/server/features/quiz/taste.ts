import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError } from '../../../protocol/errors.ts'
import { optionTexts, orderOf, rightSlot } from './dealer.ts'
import { getQuestion } from './questions/bank.ts'

/** Sample questions for visitors who have not signed in. Nothing is stored: each deal carries a signature. */

const samples = [
  ['activity-02', 'activity-05', 'activity-09', 'activity-29'],
  ['nutrition-02', 'nutrition-04', 'nutrition-27', 'nutrition-32'],
  ['mindfulness-02', 'mindfulness-04', 'mindfulness-28', 'mindfulness-33'],
  ['sleep-02', 'sleep-07', 'sleep-09', 'sleep-32'],
]
const VALID_SECONDS = 3_600

export function dealTaste(key: Buffer, now: Date) {
  const expires = Math.floor(now.getTime() / 1000) + VALID_SECONDS
  return samples.map((choices) => {
    const pick = randomBytes(4).readUInt32BE()
    const { id, topic, text } = getQuestion(choices[pick % choices.length] ?? '')
    const body = `${id}.${randomBytes(6).toString('hex')}.${expires}`
    const mac = sign(key, body)
    return {
      deal: `${body}.${mac.toString('base64url')}`,
      topic,
      text,
      options: optionTexts(id, tasteOrder(key, body)),
    }
  })
}

export function judgeTaste(key: Buffer, deal: string, option: number, now: Date) {
  const [questionId = '', nonce, expires, mac = ''] = deal.split('.')
  const body = `${questionId}.${nonce}.${expires}`
  const [given, expected] = [Buffer.from(mac, 'base64url'), sign(key, body)]
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new AppError('shot_refused', "We didn't deal this question. Load new ones.", 'deal')
  if (Number(expires) * 1000 < now.getTime())
    throw new AppError('shot_refused', 'These questions have expired. Load new ones.', 'deal')
  const right = rightSlot(tasteOrder(key, body))
  return { correct: option === right, right, explanation: getQuestion(questionId).explanation }
}

const sign = (key: Buffer, body: string): Buffer => createHmac('sha256', key).update(`deal ${body}`).digest()

// Derived from the secret key and the deal, so that the deal alone does not reveal the order.
const tasteOrder = (key: Buffer, body: string): number[] =>
  orderOf(createHmac('sha256', key).update(`order ${body}`).digest(), 0)
