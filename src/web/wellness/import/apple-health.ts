import type { Day } from '../../../protocol/time.ts'
import { createTotals, dayIn } from './totals.ts'
import { attributesOf, type XmlHandler } from './xml.ts'

const STEPS = 'HKQuantityTypeIdentifierStepCount'
const MINUTES_BY_UNIT: Record<string, number> = { min: 1, s: 1 / 60, sec: 1 / 60, hr: 60, h: 60 }

/** Reads step counts and workouts from Apple Health's export.xml. Days are in the user's local time. */
export function appleHealth() {
  const totals = createTotals()
  // Records are sorted by time, so consecutive ones usually share a day. Cache the last parsed day.
  let last: { text: string; day: Day | undefined } = { text: '', day: undefined }
  const dayOfStart = (text = '') => {
    const start = text.slice(0, 10)
    if (start !== last.text) last = { text: start, day: dayIn(start) }
    return last.day
  }
  const handler: XmlHandler = {
    open(name, text) {
      // Most records are heart rate and energy. Skip them before parsing attributes.
      if (name === 'Record' && text.includes(STEPS)) {
        const { type, sourceName = '', startDate, value = '' } = attributesOf(text)
        if (type === STEPS) totals.add(sourceName, dayOfStart(startDate), { steps: numberIn(value) })
      } else if (name === 'Workout') {
        const { sourceName = '', startDate, duration = '', durationUnit = 'min' } = attributesOf(text)
        const minutes = numberIn(duration) * (MINUTES_BY_UNIT[durationUnit] ?? Number.NaN)
        totals.add(sourceName, dayOfStart(startDate), { minutes })
      }
    },
  }
  return { handler, result: (today: Day) => totals.result('apple_health', today) }
}

const numberIn = (text: string): number => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN)
