import { BaseError, ExecutionRevertedError, RpcRequestError } from 'viem'
import { onlyKnown } from './answer-fields.ts'
import { createRoster, type Node, type Roster } from './node-roster.ts'

/**
 * Several nodes of one chain as if they were one (R23). An answer counts when a majority of the configured nodes, whether
 * they respond or not, gives the same one. Transactions are sent to all of them. A node that contradicts the majority or
 * does not respond is left out for a while (node-roster.ts): it is asked only if the others reach no majority.
 */
export type Asked = { method: string; params?: unknown }
export type Request = (asked: Asked) => Promise<unknown>

class NoMajorityError extends BaseError {
  constructor({ method }: Asked, cause?: unknown) {
    const details = { ...(cause instanceof Error && { cause }), name: 'NoMajorityError' }
    super(`Not enough chain nodes agree on the answer to ${method}.`, details)
  }
}

type Majority = { roster: Roster; needed: number; heads: Map<string, Promise<bigint>> }

export function createMajority(nodes: Node[], leftOutMs?: number) {
  const needed = Math.floor(nodes.length / 2) + 1
  const majority: Majority = { roster: createRoster(nodes, leftOutMs), needed, heads: new Map() }
  return {
    async request(asked: Asked): Promise<unknown> {
      if (asked.method === 'eth_sendRawTransaction') return sendToAll(majority, asked)
      if (asked.method === 'eth_blockNumber') return hex(await readHead(majority, 'latest'))
      if (OPINIONS.includes(asked.method)) return hex(await reach(majority, asked, (figure) => figure))
      return (await decide(majority, await pin(majority, asked))).take()
    },
    requestAny: (asked: Asked) => askAny(majority, asked),
  }
}

/** What identifies an answer. `isEmpty`: the node does not have what it was asked for, or not yet. */
type Vote = { node: Node; key: string; isEmpty: boolean; take(): unknown }

/** The answer that a majority gives, as soon as it does. Later answers are only compared with it. */
function decide({ roster, needed }: Majority, asked: Asked): Promise<Vote> {
  return new Promise((resolve, reject) => {
    const votes: Vote[] = []
    const groups = [roster.trusted(), roster.leftOut()].filter((group) => group.length > 0)
    let winner: Vote | undefined
    let failure: unknown
    let waiting = 0

    async function ask(node: Node): Promise<void> {
      const vote = await voteOf(roster, node, asked)
      waiting--
      if ('error' in vote) failure ??= vote.error
      else votes.push(vote)
      winner ??= votes.find(({ key }) => votes.filter((other) => other.key === key).length >= needed)
      if (!winner) return waiting === 0 ? askNext() : undefined
      for (const each of votes.splice(0)) judge(roster, each, winner)
      resolve(winner)
    }

    function askNext(): void {
      const group = groups.shift() ?? []
      waiting = group.length
      for (const node of group) void ask(node)
      if (group.length === 0) reject(new NoMajorityError(asked, failure))
    }
    askNext()
  })
}

async function voteOf(roster: Roster, node: Node, asked: Asked): Promise<Vote | { error: unknown }> {
  try {
    const result = await node.request(asked)
    const known = onlyKnown(asked.method, result) ?? null
    return { node, key: JSON.stringify(known).toLowerCase(), isEmpty: known === null, take: () => known }
  } catch (error) {
    const reply = replyOf(error)
    if (!reply) roster.leaveOut(node, 'silent')
    if (!reply || !isRevert(reply)) return { error }
    const take = () => {
      throw error
    }
    return { node, key: `reverted ${JSON.stringify(reply.data ?? null)}`.toLowerCase(), isEmpty: false, take }
  }
}

/** A node may be a block behind the others or ahead of them. Two different answers are a contradiction. */
function judge(roster: Roster, { node, key, isEmpty }: Vote, winner: Vote): void {
  if (key === winner.key) roster.trust(node)
  else if (!isEmpty && !winner.isEmpty) roster.leaveOut(node, 'disagrees')
}

/** For figures in which honest nodes differ, such as the newest block: the highest that a majority reaches. */
async function reach(
  { roster, needed }: Majority,
  asked: Asked,
  figureOf: (result: unknown) => unknown,
): Promise<bigint> {
  const found: bigint[] = []
  for (const group of [roster.trusted(), roster.leftOut()]) {
    if (found.length >= needed) break
    const votes = await Promise.all(group.map((node) => voteOf(roster, node, asked)))
    for (const vote of votes) if (!('error' in vote) && !vote.isEmpty) found.push(toFigure(figureOf(vote.take())))
  }
  const reached = found.sort((a, b) => (a < b ? 1 : -1))[needed - 1]
  if (reached === undefined) throw new NoMajorityError(asked)
  return reached
}

/** Calls that need the same head at the same time share one answer, and so read the same block. */
function readHead(majority: Majority, tag: string): Promise<bigint> {
  const { heads } = majority
  const asked = { method: 'eth_getBlockByNumber', params: [tag, false] }
  const known = heads.get(tag)
  if (known) return known
  const head = reach(majority, asked, (block) => (block as { number?: unknown }).number).finally(() =>
    heads.delete(tag),
  )
  heads.set(tag, head)
  return head
}

/** Nodes are asked about a block by its number, because each of them has a newest block of its own. */
async function pin(majority: Majority, { method, params }: Asked): Promise<Asked> {
  if (!Array.isArray(params)) return { method }
  const numberOf = async (block: unknown) => (isHeadTag(block) ? hex(await readHead(majority, block)) : block)
  const at = BLOCK_PARAMETERS[method]
  if (at !== undefined) return { method, params: params.with(at, await numberOf(params[at])) }
  const [filter] = params
  if (method !== 'eth_getLogs' || filter.blockHash) return { method, params }
  const fromBlock = await numberOf(filter.fromBlock ?? 'latest')
  return { method, params: [{ ...filter, fromBlock, toBlock: await numberOf(filter.toBlock ?? 'latest') }] }
}

/** The first node that accepts a transaction is enough: the others get it too, and blocks show what became of it. */
async function sendToAll({ roster }: Majority, asked: Asked): Promise<unknown> {
  try {
    return await Promise.any(roster.all().map((node) => node.request(asked)))
  } catch (error) {
    const errors: unknown[] = error instanceof AggregateError ? error.errors : [error]
    throw errors.find(replyOf) ?? errors[0]
  }
}

/** What the first node that responds says, for what moves no money. */
async function askAny({ roster }: Majority, asked: Asked): Promise<unknown> {
  let failure: unknown
  for (const node of [...roster.trusted(), ...roster.leftOut()]) {
    try {
      return await node.request(asked)
    } catch (error) {
      if (replyOf(error)) throw error
      failure ??= error
    }
  }
  throw failure
}

/** What each node estimates in its own way. */
const OPINIONS = ['eth_gasPrice', 'eth_maxPriorityFeePerGas']

/** Which parameter of a method is a block. */
const BLOCK_PARAMETERS: Record<string, number> = {
  eth_getBlockByNumber: 0,
  eth_call: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_getStorageAt: 2,
}

const isHeadTag = (place: unknown): place is string => ['latest', 'safe', 'finalized'].includes(String(place))
const hex = (figure: bigint) => `0x${figure.toString(16)}`

/** A malformed figure of a lying node counts as the lowest. */
function toFigure(text: unknown): bigint {
  return typeof text === 'string' && /^0x[0-9a-f]{1,64}$/i.test(text) ? BigInt(text) : 0n
}

/** The node's own error; undefined if no node answered. */
function replyOf(error: unknown): RpcRequestError | undefined {
  const reply = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null
  return reply instanceof RpcRequestError ? reply : undefined
}

/** A contract that refuses a call is an answer, and the same at every node. */
const isRevert = (reply: RpcRequestError): boolean =>
  reply.code === ExecutionRevertedError.code || ExecutionRevertedError.nodeMessage.test(reply.details ?? '')
