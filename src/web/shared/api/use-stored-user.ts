import { useSyncExternalStore } from 'react'
import { parseUser, readStored, type StoredUser, watchStored } from './stored-user.ts'

/** The signed-in user, kept in sync across tabs. */
export function useStoredUser(): StoredUser | undefined {
  return parseUser(useSyncExternalStore(watchStored, readStored))
}
