/** The signed-in user, as stored under `user` in local storage. */
export type StoredUser = { token: string; id: string; wallet_address: string; username: string; level: number }

const KEY = 'user'
const changed = new Set<() => void>()

/** Undefined if the entry is missing or malformed, so a broken entry never breaks a page. */
export function readStoredUser(): StoredUser | undefined {
  return parseUser(readStored())
}

export function writeStoredUser(user: StoredUser): void {
  localStorage.setItem(KEY, JSON.stringify(user))
  announce()
}

/** Signing out clears all of local storage. */
export function clearStorage(): void {
  localStorage.clear()
  announce()
}

/** The user in what `readStored` returned. */
export function parseUser(raw: string | null): StoredUser | undefined {
  const entry = parseObject(raw)
  if (typeof entry?.['token'] !== 'string' || entry['token'] === '') return undefined
  const level = Number(entry['level'])
  return {
    token: entry['token'],
    id: text(entry['id']),
    wallet_address: text(entry['wallet_address']),
    username: text(entry['username']),
    level: Number.isSafeInteger(level) && level >= 0 ? level : 0,
  }
}

function parseObject(raw: string | null): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(raw ?? 'null')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** The entry as text: equal as long as nothing has changed. */
export function readStored(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

/** Calls the listener when this or another tab changes the entry. */
export function watchStored(listener: () => void): () => void {
  changed.add(listener)
  addEventListener('storage', listener)
  return () => {
    changed.delete(listener)
    removeEventListener('storage', listener)
  }
}

function announce(): void {
  for (const listener of changed) listener()
}
