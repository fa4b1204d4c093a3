/**
 * Checks rounds of the colour game using only public data: npm run verify-round -- 12, or 1-1000 for a range.
 * The check itself is in src/protocol/colour-check.ts and colour-draw.ts, about a hundred lines. The audit runs the same
 * one. If you don't trust Wellplay, read them or write your own.
 *
 *   --url  the address of Wellplay (default: http://localhost:3000)
 *   --rpc  the chain node to use (default: Wellplay's own node; choose another if you don't trust it)
 */
import { createHash, createHmac } from 'node:crypto'
import { parseArgs } from 'node:util'
import {
  type CheckedRound,
  checkRound,
  type KnownSeed,
  type ReadBlock,
  type SeedChain,
} from '../src/protocol/colour-check.ts'

type Reply = { data: Omit<CheckedRound, 'closes_at'> & { closes_at: string }; chain: SeedChain }
type Block = { hash: string; timestamp: string }

const hashes = {
  hmac: (key: Uint8Array, message: string) => createHmac('sha256', key).update(message).digest(),
  sha256: (bytes: Uint8Array) => createHash('sha256').update(bytes).digest(),
}
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { url: { type: 'string', default: 'http://localhost:3000' }, rpc: { type: 'string' } },
})
const [first = 0, last = first] = (positionals[0] ?? '').split('-').map(Number)
if (!Number.isInteger(first) || !Number.isInteger(last) || first < 1 || last < first) {
  console.error('Usage: npm run verify-round -- <round>  or  <first>-<last>')
  process.exit(2)
}

try {
  const wrong = await checkRounds()
  const count = last - first + 1
  console.log(wrong === 0 ? `${count} checked, all correct` : `${count} checked, ${wrong} WRONG`)
  process.exitCode = wrong === 0 ? 0 : 1
} catch (error) {
  console.error(`Not checked: ${(error as Error).message}`)
  process.exitCode = 2
}

/** How many rounds are wrong. */
async function checkRounds(): Promise<number> {
  let wrong = 0
  let known: KnownSeed | undefined
  for (let number = first; number <= last; number++) {
    const { data, chain } = await read(number)
    const round: CheckedRound = { ...data, closes_at: new Date(data.closes_at) }
    const problems = await checkRound(hashes, readBlock, round, chain, known)
    if (problems.length > 0) wrong++
    if (problems.length > 0 || last - first < 20) print(round, problems)
    if (round.seed && problems.length === 0) known = { number, seed: round.seed }
  }
  return wrong
}

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

async function readBlock(number: number): ReturnType<ReadBlock> {
  const params = [`0x${number.toString(16)}`, false]
  const reply = await fetchWithRetry(values.rpc ?? `${values.url}/api/rpc/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params }),
  })
  const { result } = (await reply.json()) as { result: Block | null }
  return result && { hash: result.hash, timestamp: Number(result.timestamp) }
}

function print({ number, state, draw, color, block_number }: CheckedRound, problems: string[]): void {
  if (problems.length > 0) for (const problem of problems) console.log(`✗ round ${number} ${problem}`)
  else if (state === 'refunded')
    console.log(`✓ round ${number}: no result in time, all stakes were returned; the seed is in the chain`)
  else
    console.log(
      `✓ round ${number}: ${draw}, ${color}; the seed is in the chain; block ${block_number} is the first after closing`,
    )
}
