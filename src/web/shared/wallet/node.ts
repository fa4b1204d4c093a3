let lastId = 0

/** One JSON-RPC call of the chain's node, through our server. */
export async function callNode(method: string, params: unknown): Promise<unknown> {
  const reply = await fetch('/api/rpc/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method, params }),
  })
  const { result, error, Msg } = await reply.json()
  if (error || !reply.ok) throw new Error(error?.message ?? Msg)
  return result
}
