import { startTransition, useCallback, useEffect, useRef, useState } from 'react'
import { referrals, type TreeMember } from '../../protocol/referrals.ts'
import { CallError, call } from '../shared/api/api.ts'
import { useEvent } from '../shared/api/events.ts'

/** A member in the tree view. Children are loaded page by page, on demand. */
export type Node = {
  member: TreeMember
  children: string[]
  total: number
  pages: number
  open: boolean
  loading: boolean
}
export type Tree = {
  root: string
  /** Usernames from the signed-in user down to the root of the view. */
  path: string[]
  nodes: ReadonlyMap<string, Node>
  error: string | undefined
  /** Expands or collapses a member. The first expansion loads their direct referrals. */
  toggle(username: string): void
  /** Loads the next page of a member's direct referrals. */
  more(username: string): void
  /** Makes a member the root of the view. */
  focus(username: string): void
}

/** The part of the user's tree that has been loaded so far. */
export function useTree(own: string): Tree {
  const [root, setRoot] = useState(own)
  const [path, setPath] = useState([own])
  const [nodes, setNodes] = useState<ReadonlyMap<string, Node>>(new Map())
  const [error, setError] = useState<string>()

  const load = useCallback(async (username: string, pageNo: number): Promise<void> => {
    setNodes((before) => patch(before, username, { loading: true }))
    try {
      const { data, total } = await call(referrals.tree, { user_name: username, page_no: pageNo })
      // A transition renders in slices, so the page stays responsive however many rows are added.
      startTransition(() => {
        setNodes((before) => withPage(before, data, total, pageNo))
        setError(undefined)
      })
    } catch (problem) {
      setNodes((before) => patch(before, username, { loading: false }))
      setError(problem instanceof CallError ? problem.message : 'The tree could not be loaded')
    }
  }, [])

  const focus = useCallback(async (username: string) => {
    const reply = await call(referrals.tree, { user_name: username, page_no: 1 }).catch((problem: CallError) => problem)
    if (reply instanceof Error) return setError(reply.message)
    startTransition(() => {
      setNodes((before) => withPage(before, reply.data, reply.total, 1))
      setPath(reply.data.path)
      setRoot(username)
      setError(undefined)
    })
  }, [])
  useEffect(() => void focus(own), [focus, own])
  const refresh = useCallback(() => void focus(root), [focus, root])
  useEvent('team', refresh)
  useEvent('resync', refresh)

  // A ref keeps the callbacks below stable, so that unchanged rows are not rendered again.
  const latest = useRef(nodes)
  useEffect(() => {
    latest.current = nodes
  })
  const toggle = useCallback(
    (username: string) => {
      const node = latest.current.get(username)
      if (!node || node.pages === 0) void load(username, 1)
      else startTransition(() => setNodes((before) => patch(before, username, { open: !node.open })))
    },
    [load],
  )
  const more = useCallback(
    (username: string) => void load(username, (latest.current.get(username)?.pages ?? 0) + 1),
    [load],
  )
  return { root, path, nodes, error, toggle, more, focus }
}

function patch(nodes: ReadonlyMap<string, Node>, username: string, change: Partial<Node>): ReadonlyMap<string, Node> {
  const node = nodes.get(username)
  return node ? new Map(nodes).set(username, { ...node, ...change }) : nodes
}

const closed = (member: TreeMember): Node => ({
  member,
  children: [],
  total: member.direct_members,
  pages: 0,
  open: false,
  loading: false,
})

type Reply = TreeMember & { path: string[]; children: TreeMember[] }

function withPage(
  nodes: ReadonlyMap<string, Node>,
  data: Reply,
  total: number,
  pageNo: number,
): ReadonlyMap<string, Node> {
  const { children, path, ...member } = data
  const next = new Map(nodes)
  for (const child of children) {
    const known = nodes.get(child.user_name)
    // A member whose children were loaded keeps them and their total; only the figures come from the sponsor's page.
    next.set(child.user_name, known && known.pages > 0 ? { ...known, member: child } : closed(child))
  }
  const known = nodes.get(member.user_name)
  const names = [...new Set([...(known?.children ?? []), ...children.map(({ user_name }) => user_name)])]
  const pages = Math.max(pageNo, known?.pages ?? 0)
  return next.set(member.user_name, { member, children: names, total, pages, open: true, loading: false })
}
