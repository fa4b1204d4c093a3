/**
 * Checks rounds of the colour game using only public data: npm run verify-round -- 12, or 1-1000 for a range.
 * It shares no code with the server: if you don't trust Wellplay, read these hundred lines or write your own.
 *
 *   --url  the address of Wellplay (default: http://localhost:3000)
 *   --rpc  the chain node to use (default: Wellplay's own node; choose another if you don't trust it)
 */
import { createHash, createHmac } from 'node:crypto'
import { parseArgs } from 'node:util'

type Round = {
  number: number
  closes_at: string
  state: 'open' | 'settled' | 'refunded'
  block_number: number | null
  block_hash: string | null
  seed: string | null
  draw: number | null
  color: string | null
}
type Reply = { data: Round; chain: { anchor: string; first_round: number; length: number } }
type Block = { hash: string; timestamp: string }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { url: { type: 'string', default: 'http://localhost:3000' }, rpc: { type: 'string' } },
})
const [first = 0, last = first] = (positionals[0] ?? '').split('-').map(Number)
if (!Number.isInteger(first) || !Number.isInteger(last) || first < 1 || last < first) {
  console.error('Usage: npm run verify-round -- <round>  or  <first>-<last>')
  process.exit(2)
}

let wrong = 0
let previous: { number: number; seed: string; anchor: string } | undefined
for (let number = first; number <= last; number++) {
  const reply = await read(number)
  const problems = await check(reply)
  if (problems.length > 0) wrong++
  if (problems.length > 0 || last - first < 20) print(reply.data, problems)
  if (reply.data.seed) previous = { number, seed: reply.data.seed, anchor: reply.chain.anchor }
}
const count = last - first + 1
console.log(wrong === 0 ? `${count} checked, all correct` : `${count} checked, ${wrong} WRONG`)
process.exit(wrong === 0 ? 0 : 1)

async function read(number: number): Promise<Reply> {
  const reply = await fetchWithRetry(`${values.url}/api/colour/rounds/${number}/`)
  if (!reply.ok) throw new Error(`Round ${number}: ${((await reply.json()) as { message: string }).message}`)
  return (await reply.json()) as Reply
}

/** Retries while the server is busy or restarting. */
async function fetchWithRetry(url: string, init: RequestInit = {}, tries = 6): Promise<Response> {
  const reply = await fetch(url, init).catch((error: Error) => error)
  if (reply instanceof Response && reply.status !== 503) return reply
  if (tries === 1) throw new Error(`No response from ${url}`)
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  return fetchWithRetry(url, init, tries - 1)
}

async function check({ data: round, chain }: Reply): Promise<string[]> {
  if (round.state === 'open') return ['is not over yet']
  if (!round.seed || !leadsToAnchor(round.number, round.seed, chain))
    return ['has a seed that is not in the published chain']
  if (round.state === 'refunded') return []
  const draw = drawFrom(round.seed, `${round.number}:${round.block_hash}`)
  return [
    ...(draw === round.draw ? [] : [`claims the draw was ${round.draw}, but seed and block give ${draw}`]),
    ...(colourOf(draw) === round.color ? [] : [`claims ${round.color} won, but ${draw} is ${colourOf(draw)}`]),
    ...(await checkBlock(round)),
  ]
}

/** Hashing the seed once gives the seed of the round before; hashing it back to the chain's start gives the anchor. */
function leadsToAnchor(number: number, seed: string, { anchor, first_round }: Reply['chain']): boolean {
  const isNext = previous?.number === number - 1 && previous.anchor === anchor && number > first_round
  const steps = isNext ? 1 : number - first_round + 1
  let bytes = Buffer.from(seed, 'hex')
  for (let step = 0; step < steps; step++) bytes = createHash('sha256').update(bytes).digest()
  return bytes.toString('hex') === (isNext ? previous?.seed : anchor)
}

/** The first of the digest's eight 32-bit numbers that is below the largest multiple of 100, modulo 100. */
function drawFrom(seed: string, message: string): number {
  for (let attempt = 0; ; attempt++) {
    const text = attempt === 0 ? message : `${message}:${attempt}`
    const hex = createHmac('sha256', Buffer.from(seed, 'hex')).update(text).digest('hex')
    for (const word of hex.match(/.{8}/g) ?? []) {
      const value = Number.parseInt(word, 16)
      if (value < 2 ** 32 - (2 ** 32 % 100)) return value % 100
    }
  }
}

function colourOf(draw: number): string {
  return draw < 48 ? 'green' : draw < 96 ? 'red' : 'violet'
}

/** The block must be the first whose time is at or after closing. */
async function checkBlock({ block_number, block_hash, closes_at }: Round): Promise<string[]> {
  const closing = Math.ceil(Date.parse(closes_at) / 1000)
  const [block, parent] = await Promise.all([readBlock(block_number ?? 0), readBlock((block_number ?? 0) - 1)])
  if (block?.hash.toLowerCase() !== block_hash)
    return [`names block ${block_number}, which has a different hash on chain`]
  if (Number(block.timestamp) < closing) return ['used a block from before closing']
  return parent && Number(parent.timestamp) >= closing ? ['did not use the first block after closing'] : []
}

async function readBlock(number: number): Promise<Block | null> {
  if (number < 0) return null
  const params = [`0x${number.toString(16)}`, false]
  const reply = await fetchWithRetry(values.rpc ?? `${values.url}/api/rpc/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params }),
  })
  return ((await reply.json()) as { result: Block | null }).result
}

function print({ number, state, draw, color, block_number }: Round, problems: string[]): void {
  if (problems.length > 0) for (const problem of problems) console.log(`✗ round ${number} ${problem}`)
  else if (state === 'refunded')
    console.log(`✓ round ${number}: no result in time, all stakes were returned; the seed is in the chain`)
  else
    console.log(
      `✓ round ${number}: ${draw}, ${color}; the seed is in the chain; block ${block_number} is the first after closing`,
    )
}
