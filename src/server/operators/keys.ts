import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { addressOfKey, newOperatorKey, type OperatorKey } from '../chain/operator-keys.ts'
import { type AloneCommand, type Ops, wordAt, wrong } from './command.ts'

/** The key of the operator at the keyboard; undefined if it is in a wallet elsewhere. */
export function findKey({ flags, operatorKey }: Pick<Ops, 'flags' | 'operatorKey'>): OperatorKey | undefined {
  const path = flags['key-file']
  const text = path === undefined ? operatorKey : readKeyFile(String(path))
  return text ? asKey(text) : undefined
}

export const loadKey = (path: string): OperatorKey => asKey(readKeyFile(path))

function asKey(text: string): OperatorKey {
  const key = text.trim().toLowerCase()
  if (!/^0x[0-9a-f]{64}$/.test(key)) throw wrong('This is not a private key: 0x and 64 hex digits')
  return key as OperatorKey
}

function readKeyFile(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false })
  if (!file?.isFile()) throw wrong(`There is no file ${path}`)
  if ((file.mode & 0o077) !== 0) throw wrong(`Other users can read ${path}. Run: chmod 600 ${path}`)
  return readFileSync(path, 'utf8')
}

/** Writes a new key to a new file that only its owner can read. Returns the key's address. */
export function createKeyFile(path: string): string {
  const key = newOperatorKey()
  try {
    writeFileSync(path, `${key}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw wrong(`${path} exists already and is not replaced`)
  }
  return addressOfKey(key)
}

export const newKeyCommand: AloneCommand = {
  name: 'operators new-key',
  takes: '<file>',
  summary: 'makes a key for an operator who has no hardware wallet',
  async runAlone({ words, write }) {
    const path = wordAt({ words }, 0, 'The file')
    write(`Your address is ${createKeyFile(path)}\nThe key is in ${path}. Keep it secret, and keep a copy.`)
    return 0
  },
}
