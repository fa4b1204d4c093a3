import { useEffect } from 'react'
import { z } from 'zod'
import { trust } from '../../protocol/trust.ts'
import { call } from '../shared/api/api.ts'
import { useStoredUser } from '../shared/api/use-stored-user.ts'
import type { Proof } from './check-proof.ts'

const KEY = 'proof'
/** Roots are published every hour. */
const EVERY_MS = 3_600_000
const FIRST_MS = 60_000

/** Keeps the newest proof in this browser. If we go silent, it opens the user's leaf in the last public tree. */
export function keepProof(proof: Proof): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(z.encode(trust.proof.output.shape.data, proof)))
  } catch {
    // No storage, or it is full. The user can still save the proof as a file.
  }
}

/** While the app is open, reads the newest proof every hour. At a random moment, so that not all apps ask at once. */
export function useKeptProof(): void {
  const id = useStoredUser()?.id
  useEffect(() => {
    if (!id) return
    const keep = () =>
      call(trust.proof, {}).then(
        ({ data }) => keepProof(data),
        // A new user is in the next root. Anything else is tried again in an hour.
        () => {},
      )
    const first = setTimeout(keep, FIRST_MS * (1 + Math.random()))
    const timer = setInterval(keep, EVERY_MS * (0.9 + 0.2 * Math.random()))
    return () => {
      clearTimeout(first)
      clearInterval(timer)
    }
  }, [id])
}
