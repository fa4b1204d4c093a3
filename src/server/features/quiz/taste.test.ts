import { afterAll, expect, test } from 'vitest'
import { quiz } from '../../../protocol/quiz.ts'
import { createTestApi } from '../../testing/api.ts'
import { createTestClock } from '../../testing/plans.ts'
import { bank } from './questions/bank.ts'

const clock = createTestClock('2026-03-04T10:00:00Z')
const api = await createTestApi({ clock })
afterAll(() => api.close())

test('visitors can answer sample questions without signing in, and a forged deal is refused', async () => {
  const { data } = await api.call(quiz.taste, {})
  expect(data.map(({ topic }) => topic)).toEqual(['activity', 'nutrition', 'mindfulness', 'sleep'])
  for (const { deal, text, options } of data) {
    const right = options.indexOf(bank.find((question) => question.text === text)?.options[0] ?? '')
    expect(await api.call(quiz.tasteShoot, { deal, option: right })).toMatchObject({ correct: true, right })
    expect(await api.call(quiz.tasteShoot, { deal, option: (right + 1) % 4 })).toMatchObject({ correct: false, right })
    const forged = deal.replace(/^\w+-\d+/, 'sleep-01')
    const reply = await api.send('POST', '/quiz/taste/', { deal: forged, option: 0 })
    expect(reply.body.code).toBe('shot_refused')
  }
  clock.addMs(3_700_000)
  const late = await api.send('POST', '/quiz/taste/', { deal: data[0]?.deal, option: 0 })
  expect(late.body.Msg).toBe('These questions have expired. Load new ones.')
})
