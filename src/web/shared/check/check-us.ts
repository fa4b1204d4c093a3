import { figureText } from '../../../protocol/figures.ts'
import '../api/no-eval.ts'
import { colour } from '../../../protocol/colour.ts'
import { micro, WEI_PER_MICRO } from '../../../protocol/money.ts'
import { trust } from '../../../protocol/trust.ts'
import { wallet } from '../../../protocol/wallet.ts'
import { call } from '../api/api.ts'
import { checkRound } from '../draws/check-round.ts'
import { chainOf, knownSeed, previousSeed, rememberSeed } from '../draws/known-seed.ts'
import { readNode } from '../draws/read-node.ts'
import { judgeBooks, type OnChain } from './judge.ts'
import type { Finding, Report } from './report.ts'
import { selectors } from './selectors.ts'

/** About two seconds of hashing on a phone. */
const STEPS_MAX = 100_000

/** Recomputes the latest draw and compares what we hold with what we owe, in this browser. */
export async function checkUs(): Promise<Report> {
  const [draw, books] = await Promise.all([
    checkLatestDraw().catch(() => unread('The latest draw could not be checked')),
    checkBooks().catch(() => unread('The books could not be compared')),
  ])
  return { draw, books, atMs: Date.now() }
}

const unread = (title: string): Finding => ({ verdict: 'open', title, notes: [], gaps: ['The server did not answer.'] })

async function checkLatestDraw(): Promise<Finding> {
  const [{ data: rounds }, { data: fairness }] = await Promise.all([call(colour.games, {}), call(colour.fairness, {})])
  const [round] = rounds
  if (!round)
    return { verdict: 'open', title: 'No round is drawn yet', notes: [], gaps: ['There is no draw to check.'] }
  const chain = chainOf(fairness.chains, round.number)
  const known = chain && knownSeed(round.number, chain, STEPS_MAX)
  const start = known ?? (chain && previousSeed(round.number, chain, rounds))
  if (!start) return { verdict: 'open', title: `Round ${round.number}`, notes: [], gaps: [FAR] }
  const check = await checkRound(round, start, true)
  if (check.verdict === 'wrong') return { ...check, title: `Round ${round.number} does not match` }
  const gaps = known ? check.gaps : [...check.gaps, FAR]
  if (known) rememberSeed(round)
  const result = round.color ? `${round.draw}, ${round.color}` : 'stakes returned'
  const title = `Round ${figureText(round.number)}: ${result}`
  return { verdict: gaps.length > 0 ? 'open' : 'right', title, notes: check.notes, gaps }
}

const FAR = 'The anchor is too many rounds away to hash back to it here. The trust page can.'

async function checkBooks(): Promise<Finding> {
  const [{ data: summary }, { tokens, support }] = await Promise.all([call(trust.summary, {}), call(wallet.chain, {})])
  return judgeBooks(summary, await readChain(tokens.usdt.address, support, summary.snapshot?.epoch))
}

/** Reads the vault at the newest final block: its USDT, and its root of an epoch. */
async function readChain(usdt: string, vault: string, epoch: number | undefined): Promise<OnChain | undefined> {
  const block = await readNode<{ number: string }>('eth_getBlockByNumber', ['finalized', false])
  if (!block) return undefined
  const read = (to: string, data: string) => readNode<string>('eth_call', [{ to, data }, block.number])
  const [held, root] = await Promise.all([
    read(usdt, selectors.balanceOf + word(vault)),
    epoch === undefined ? undefined : read(vault, selectors.rootAt + word(epoch.toString(16))),
  ])
  const stored = root && (await read(vault, selectors.roots + word(root)))
  return {
    block: Number(block.number),
    held: held === undefined ? undefined : micro(BigInt(held) / WEI_PER_MICRO),
    // The total is the first word of the stored root.
    root: root && stored ? { hash: root.slice(2), total: BigInt(stored.slice(0, 66)) } : undefined,
  }
}

/** An argument of a contract call: 32 bytes in hex. */
const word = (hex: string) => hex.replace('0x', '').padStart(64, '0')
