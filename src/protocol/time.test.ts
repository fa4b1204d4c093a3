import { expect, test } from 'vitest'
import { day } from './time.ts'

test('a day must exist in the calendar and be between 1970 and 2999', () => {
  for (const text of ['1970-01-01', '2024-02-29', '2999-12-31']) expect(day.parse(text)).toBe(text)
  const wrong = ['2026-02-30', '2025-02-29', '2026-13-45', '0000-01-01', '1969-12-31', '3000-01-01', '9999-12-31']
  for (const text of [...wrong, '2026-1-1', '2026-01-01T00:00:00Z', '', 20260101])
    expect([text, day.safeParse(text).success]).toEqual([text, false])
})
