import { expect, test } from 'vitest'
import { runKills } from './cluster/kills.ts'
import { describeMissing } from './cluster/programs.ts'
import { createSchedule, nameOf } from './cluster/schedule.ts'

test('the same seed kills the same parts, and thirteen kills have every kind', () => {
  expect(createSchedule(7, 30)).toEqual(createSchedule(7, 30))
  expect(createSchedule(7, 30)).not.toEqual(createSchedule(8, 30))
  expect(new Set(createSchedule(7, 13).map(({ blow }) => nameOf(blow))).size).toBe(13)
})

// `npm test` installs the programs if it may, and otherwise says at its end that this run was left out.
if (!describeMissing())
  test('a failover loses nothing that was acknowledged, also after a retry while the standbys are frozen', {
    timeout: 1_500_000,
  }, async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const { line, wrong, acknowledged } = await runKills({ kills: 2, seed, log: console.log })
    console.log(line)
    expect(wrong).toEqual([])
    expect(acknowledged).toBeGreaterThan(20)
  })
