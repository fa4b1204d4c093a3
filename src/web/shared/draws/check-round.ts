import type { Round } from '../../../protocol/colour.ts'
import { drawOf } from '../../../protocol/colour-draw.ts'
import { colourOf } from '../../../protocol/colour-odds.ts'
import { figureText } from '../../../protocol/figures.ts'
import { fromHex, toHex } from '../../../verifier/bytes.ts'
import { readNode } from './read-node.ts'

/**
 * `right` if all checks that could run have passed; otherwise `wrong`, with a note on what does not match. `gaps` says
 * what could not be checked.
 */
export type Check = { verdict: 'right' | 'wrong'; notes: string[]; gaps: string[] }
/** A seed published before the round was drawn: the hash chain's anchor, or the seed of an earlier round. */
export type Known = { number: number; seed: string }

const bytes = (value: Uint8Array) => new Uint8Array(value)

async function hmac(key: Uint8Array, message: string): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', bytes(key), algorithm, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(message)))
}

async function hashBack(seed: string, steps: number): Promise<string> {
  let value = fromHex(seed)
  for (let step = 0; step < steps; step++) value = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes(value)))
  return toHex(value)
}

/** Recomputes a round in the browser: its place in the hash chain, its draw, its colour and, on request, its block. */
export async function checkRound(round: Round, known: Known, withBlock: boolean): Promise<Check> {
  const { seed, number, block_hash, draw, color } = round
  if (!seed) return wrong('The round is over, but its seed was not published.')
  if ((await hashBack(seed, number - known.number)) !== known.seed)
    return wrong(`The seed does not hash to the one published earlier (round ${known.number}).`)
  const notes = [`The seed hashes to one published earlier (${stepsText(number - known.number)}).`]
  if (round.state === 'refunded') return right([...notes, 'There was no result in time, so every stake was refunded.'])
  const own = await drawOf(hmac, fromHex(seed), number, block_hash ?? '')
  if (own !== draw || colourOf(own) !== color) return wrong(`The seed and block hash give ${own}, not ${draw}.`)
  notes.push(`The seed and block hash give ${own}: ${colourOf(own)}.`)
  if (!withBlock) return right(notes)
  const complaint = await complaintAboutBlock(round)
  if (complaint === '') return right(notes, [`Block ${round.block_number} could not be read from the chain.`])
  return complaint ? wrong(complaint) : right([...notes, `Block ${round.block_number} is the first one after closing.`])
}

const stepsText = (steps: number) => (steps === 1 ? '1 step' : `${figureText(steps)} steps`)
const right = (notes: string[], gaps: string[] = []): Check => ({ verdict: 'right', notes, gaps })
const wrong = (note: string): Check => ({ verdict: 'wrong', notes: [note], gaps: [] })

/** What is wrong with the block; an empty string if the chain could not be read. */
async function complaintAboutBlock({ block_number, block_hash, closes_at }: Round): Promise<string | undefined> {
  const number = block_number ?? 0
  const closing = Math.ceil(closes_at.getTime() / 1000)
  const [block, parent] = await Promise.all([readBlock(number), readBlock(number - 1)])
  if (!block || !parent) return ''
  if (block.hash.toLowerCase() !== block_hash) return `Block ${number} has a different hash on chain.`
  if (Number(block.timestamp) < closing || Number(parent.timestamp) >= closing)
    return `Block ${number} is not the first one after closing.`
  return undefined
}

type Block = { hash: string; timestamp: string }

const readBlock = (number: number) => readNode<Block>('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])
