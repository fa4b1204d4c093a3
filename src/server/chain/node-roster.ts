import { Counter, Gauge } from 'prom-client'
import type { Request } from './majority.ts'

/** Which of several chain nodes are asked first, and what the metrics say about them. */
export type Node = { name: string; request: Request }
type Reason = 'disagrees' | 'silent'

const LEFT_OUT_MS = 15_000

const faults = new Counter({
  name: 'wellplay_chain_node_faults_total',
  help: 'Answers of a chain node that contradict the majority of nodes, and calls that it did not answer',
  labelNames: ['node', 'reason'],
})
const isLeftOut = new Gauge({
  name: 'wellplay_chain_node_left_out',
  help: '1 while a chain node is left out because it contradicts the majority or does not answer',
  labelNames: ['node'],
})

export type Roster = ReturnType<typeof createRoster>

export function createRoster(nodes: Node[], leftOutMs = LEFT_OUT_MS) {
  const until = new Map<Node, number>()
  for (const { name } of nodes) isLeftOut.set({ node: name }, 0)
  const isTrusted = (node: Node) => (until.get(node) ?? 0) <= performance.now()
  return {
    all: () => nodes,
    trusted: () => nodes.filter(isTrusted),
    leftOut: () => nodes.filter((node) => !isTrusted(node)),
    leaveOut(node: Node, reason: Reason): void {
      faults.inc({ node: node.name, reason })
      isLeftOut.set({ node: node.name }, 1)
      until.set(node, performance.now() + leftOutMs)
    },
    /** Call when a node agrees with the majority. One that is left out stays so until its time is over. */
    trust(node: Node): void {
      if (until.has(node) && isTrusted(node)) {
        until.delete(node)
        isLeftOut.set({ node: node.name }, 0)
      }
    },
  }
}
