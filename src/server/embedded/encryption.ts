import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { StartError } from '../platform/start-error.ts'

/** Backups are encrypted with age (age-encryption.org): the recipient can only encrypt, the identity decrypts. */
export const ENCRYPTED = '.age'
const OWNER_ONLY = 0o600

/** Creates an identity file, readable only by its owner, and returns its recipient. */
export async function createIdentity(path: string): Promise<string> {
  if (existsSync(path)) throw new StartError(`${path} already exists.`)
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  writeFileSync(path, `# recipient: ${recipient}\n${identity}\n`, { mode: OWNER_ONLY, flag: 'wx' })
  return recipient
}

export function requireRecipient(text: string): string {
  try {
    new Encrypter().addRecipient(text)
    return text
  } catch {
    throw new StartError('This is not an age recipient. It begins with age1, and the identity file contains it.')
  }
}

/** Reads an identity file, as written by us or by age-keygen. */
export function readIdentity(path: string): Decrypter {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split(/\s*\n/) : []
  const identities = lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'))
  if (identities.length === 0) throw new StartError(`${path} contains no age identity.`)
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  return decrypter
}

/** Encrypts a file of any size. The copy gets its name when it is complete and on disk. */
export async function encryptFile(recipient: string, from: string, to: string): Promise<void> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  await writeComplete(await encrypter.encrypt(readFile(from)), to)
}

export async function decryptFile(decrypter: Decrypter, from: string, to: string): Promise<void> {
  await writeComplete(await decrypter.decrypt(readFile(from)), to)
}

const readFile = (path: string) => Readable.toWeb(createReadStream(path)) as globalThis.ReadableStream<Uint8Array>

/** Two writers may make the same copy at once, so each uses its own temporary name. */
async function writeComplete(content: globalThis.ReadableStream<Uint8Array>, to: string): Promise<void> {
  const unfinished = `${to}.${randomBytes(6).toString('hex')}.new`
  const file = createWriteStream(unfinished, { mode: OWNER_ONLY, flush: true })
  await pipeline(Readable.fromWeb(content as ReadableStream), file)
  renameSync(unfinished, to)
}
