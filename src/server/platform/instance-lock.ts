import { createHash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { StartError } from './start-error.ts'

const SOCKET_PATH_CHARS_MAX = 100
const ATTEMPTS = 3

/**
 * One instance per data folder. The lock is a listening socket: it closes with its process, whatever ends that. Unlike
 * a pid file, it cannot be mistaken for another process that got the same pid later.
 */
export async function takeInstanceLock(dataDir: string, address: string): Promise<{ stop(): Promise<void> }> {
  mkdirSync(dataDir, { recursive: true })
  const path = socketPath(resolve(dataDir))
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const server = await listen(path, address)
    if (server) return { stop: () => close(server) }
    const holder = await ask(path)
    if (holder) throw new StartError(`Wellplay is already running on this data: ${holder}`)
    rmSync(path, { force: true })
  }
  throw new StartError(`The data folder ${dataDir} could not be locked: ${path} cannot be created.`)
}

function socketPath(dataDir: string): string {
  const path = join(dataDir, 'running.sock')
  if (path.length <= SOCKET_PATH_CHARS_MAX) return path
  return join(tmpdir(), `wellplay-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}.sock`)
}

function listen(path: string, address: string): Promise<Server | undefined> {
  return new Promise((done) => {
    const server = createServer((socket) => socket.on('error', () => {}).end(address))
    server.once('error', () => done(undefined)).listen(path, () => done(server))
  })
}

const close = (server: Server): Promise<void> => new Promise((done) => server.close(() => done()))

/** The address sent by the process that holds the lock; undefined if there is none. */
const ask = (path: string): Promise<string | undefined> => text(connect(path)).catch(() => undefined)
