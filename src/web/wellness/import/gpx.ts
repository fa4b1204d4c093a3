import { type Day, dayOf } from '../../../protocol/time.ts'
import { refuse } from './refusal.ts'
import { createTotals } from './totals.ts'
import { attributesOf, type XmlHandler } from './xml.ts'

const PAUSE_MS = 5 * 60_000
/** The average speed of a bicycle ride stays below this. Anything faster is motorized. */
const SPEED_MAX_METRES_PER_SECOND = 12.5
const EARTH_METRES = 6_371_000
const TIME_CHARS_MAX = 40

type Point = { lat: number; lon: number; atMs: number }

/** Reads a track of a walk, run or ride. Counts the time spent moving, without pauses. */
export function gpx() {
  const totals = createTotals()
  let point: Partial<Point> | undefined
  let before: Point | undefined
  let time: string | undefined
  let points = 0
  const track = { metres: 0, ms: 0 }

  function arrive(): void {
    points++
    const here = point as Partial<Point>
    point = undefined
    if (!isPoint(here)) {
      totals.add('', undefined, {})
      return
    }
    const ms = before ? here.atMs - before.atMs : 0
    if (before && ms > 0 && ms <= PAUSE_MS) {
      track.metres += distance(before, here)
      track.ms += ms
      totals.add('', dayOf(new Date(here.atMs)), { minutes: ms / 60_000 })
    }
    before = here
  }

  const handler: XmlHandler = {
    open(name, text) {
      if (name === 'trkseg') before = undefined
      else if (name === 'time' && point) time = ''
      else if (name === 'trkpt') {
        const { lat, lon } = attributesOf(text)
        point = { lat: Number(lat ?? Number.NaN), lon: Number(lon ?? Number.NaN) }
      }
    },
    text(text) {
      if (time !== undefined && time.length < TIME_CHARS_MAX) time += text
    },
    close(name) {
      if (name === 'time' && point && time !== undefined) {
        point.atMs = Date.parse(time.trim())
        time = undefined
      } else if (name === 'trkpt' && point) arrive()
    },
  }

  function result(today: Day) {
    if (points === 0) refuse('There is no track in this file. Nothing was imported.')
    if (track.ms === 0) refuse('The track in this file has no times, so its duration is unknown. Nothing was imported.')
    if (track.metres / (track.ms / 1_000) > SPEED_MAX_METRES_PER_SECOND)
      refuse('This track is too fast for a walk, run or ride. Nothing was imported.')
    return totals.result('gpx', today)
  }
  return { handler, result }
}

// Times before 1990 or after 2099 come from broken clocks.
function isPoint(point: Partial<Point>): point is Point {
  const { lat = Number.NaN, lon = Number.NaN, atMs = Number.NaN } = point
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 && atMs > 6e11 && atMs < 4.1e12
}

/** Great-circle distance between two points, in metres. */
function distance(a: Point, b: Point): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const [lat, lon] = [radians(b.lat - a.lat), radians(b.lon - a.lon)]
  const half = Math.sin(lat / 2) ** 2 + Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(lon / 2) ** 2
  return 2 * EARTH_METRES * Math.asin(Math.min(1, Math.sqrt(half)))
}
