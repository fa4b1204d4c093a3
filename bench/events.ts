import { get } from 'node:http'
import { parseArgs } from 'node:util'
import { createParser, type EventSourceMessage } from 'eventsource-parser'

/**
 * Measures how many open pages one process can serve: `npm run bench:events -- --url http://localhost:3000`. It opens
 * event streams to a running product, listens for a few rounds and prints how many streams received every round. Start
 * the product with RATE_LIMITS=off, because all streams come from one address.
 */
const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://localhost:3000' },
    streams: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '2' },
  },
})
const [streams, rounds] = [Number(values.streams), Number(values.rounds)]

const finishedBy = Array.from({ length: streams }, () => new Set<number>())
const firstHeardMs = new Map<number, number>()
const delaysMs: number[] = []
let connected = 0
let lost = 0

for (let at = 0; at < streams; at++) {
  connect(at)
  // Connect in small batches: the server's listen backlog is short.
  if (at % 50 === 49) await new Promise((resolve) => setTimeout(resolve, 20))
}
while (connected + lost < streams) await new Promise((resolve) => setTimeout(resolve, 100))
console.log(`${connected} streams open, ${lost} refused`)
const enough = () => [...firstHeardMs.keys()].length >= rounds
while (!enough()) await new Promise((resolve) => setTimeout(resolve, 500))
await new Promise((resolve) => setTimeout(resolve, 5_000))
const heard = [...firstHeardMs.keys()]
const whole = finishedBy.filter((seen) => heard.every((number) => seen.has(number))).length
delaysMs.sort((a, b) => a - b)
const last = delaysMs.at(-1)?.toFixed(0) ?? '–'
console.log(
  `streams=${connected} lost=${lost} rounds=${heard.length} saw_every_round=${whole} last_after_first_ms=${last}`,
)
process.exit(whole === streams ? 0 : 1)

function connect(at: number): void {
  const request = get(`${values.url}/api/events/`, { agent: false }, (response) => {
    connected++
    const parser = createParser({ onEvent: (message) => hear(at, message) })
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => parser.feed(chunk))
    response.on('close', () => {
      connected--
      lost++
    })
  })
  request.on('error', () => {
    lost++
  })
}

function hear(at: number, { event, data }: EventSourceMessage): void {
  if (event !== 'round') return
  const round = JSON.parse(data) as { number: number; state: string }
  if (round.state === 'open') return
  const now = performance.now()
  if (!firstHeardMs.has(round.number)) firstHeardMs.set(round.number, now)
  finishedBy[at]?.add(round.number)
  delaysMs.push(now - (firstHeardMs.get(round.number) ?? now))
}
