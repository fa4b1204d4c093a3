import { connect } from 'node:net'

/**
 * Keeps many event streams open, in its own process, because one process may not have enough open files for the streams of
 * a server. Reads the raw bytes: parsing them would cost more than the server's part, on the same two cores. Each
 * process has its own loopback address, so that the ports suffice.
 */
const [, , port = '', count = '', localAddress = ''] = process.argv
const TOGETHER = 100
const heard = new Map<number, { count: number; firstMs: number; lastMs: number }>()
const nowMs = () => performance.timeOrigin + performance.now()

function hear(number: number): void {
  const round = heard.get(number) ?? { count: 0, firstMs: nowMs(), lastMs: 0 }
  heard.set(number, round)
  round.count++
  round.lastMs = nowMs()
}

function openStream(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress }).setEncoding('latin1')
  socket.write('GET /api/events/?topics=round HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n')
  socket.on('error', reject)
  let rest = ''
  socket.on('data', (text: unknown) => {
    rest += text
    if (rest.includes('retry: 2000')) resolve()
    for (const [, number] of rest.matchAll(/"number":(\d+),[^\n]*\n\n/g)) hear(Number(number))
    rest = rest.slice(rest.lastIndexOf('\n\n') + 2)
  })
  return promise
}

for (let opened = 0; opened < Number(count); opened += TOGETHER)
  await Promise.all(Array.from({ length: Math.min(TOGETHER, Number(count) - opened) }, openStream))
process.on('message', (number: number) => process.send?.(heard.get(number) ?? { count: 0, firstMs: 0, lastMs: 0 }))
process.send?.('open')
