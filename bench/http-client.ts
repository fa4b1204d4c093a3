import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'

const HEAD_END = '\r\n\r\n'

/** Without `key`, each call has a new idempotency key. */
type Headers = { token: string; dpop?: string; key?: string }
type Connection = {
  /** Returns the HTTP status. */
  post: (path: string, headers: Headers, body: string) => Promise<number>
  get: (path: string) => Promise<number>
  close: () => void
}

/**
 * A keep-alive connection that posts and waits for the status. It uses a raw socket because the client shares two cores
 * with the server it measures, and pgbench, its baseline, uses almost no CPU either.
 */
export async function openConnection(port: number): Promise<Connection> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  let waiting: PromiseWithResolvers<number> | undefined
  let text = ''
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk
    const status = readStatus(text)
    if (status === undefined) return
    text = ''
    waiting?.resolve(status)
  })
  for (const event of ['error', 'close'])
    socket.on(event, () => waiting?.reject(new Error('the API closed the connection')))

  function post(path: string, headers: Headers, body: string): Promise<number> {
    waiting = Promise.withResolvers()
    write(socket, path, headers, body)
    return waiting.promise
  }
  function get(path: string): Promise<number> {
    waiting = Promise.withResolvers()
    socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1${HEAD_END}`)
    return waiting.promise
  }
  return { post, get, close: () => socket.destroy() }
}

function write(socket: Socket, path: string, { token, dpop = '', key = randomUUID() }: Headers, body: string): void {
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\ntoken: ${token}\r\ndpop: ${dpop}\r\nidempotency-key: ${key}${HEAD_END}${body}`,
  )
}

/** The status, once the whole response has arrived. */
function readStatus(text: string): number | undefined {
  const head = text.indexOf(HEAD_END)
  if (head < 0) return undefined
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1])
  if (Number.isNaN(length)) throw new Error('the response has no content-length')
  return text.length >= head + HEAD_END.length + length ? Number(text.slice(9, 12)) : undefined
}
