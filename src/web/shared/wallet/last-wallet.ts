import { shortAddress } from '../../../protocol/short-address.ts'
import { deleteKey, readKey, writeKey } from '../api/key-store.ts'

/** The wallet that signed in last in this browser: its EIP-6963 id and name, and its address, shortened. */
export type LastWallet = { id: string; name: string; address: string }

const NAME = 'last-wallet'
/** A page does not wait longer for a browser whose storage does not answer. */
const PATIENCE_MS = 1_000

let known: LastWallet | undefined
let reading: Promise<void> | undefined

/** Pages that offer the wallet call this before they are shown, so that nothing moves when the answer arrives. */
export function loadLastWallet(): Promise<void> {
  reading ??= Promise.race([read(), new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS))])
  return reading
}

async function read(): Promise<void> {
  known = parse(await readKey<string>(NAME).catch(() => undefined))
}

/** Undefined if no wallet has signed in here, or the browser does not let us store that. */
export const lastWallet = (): LastWallet | undefined => known

/** Signing out clears local storage but not this: a returning user signs in with one tap. Nothing in it is secret. */
export async function rememberWallet({ id, name }: { id: string; name: string }, address: string): Promise<void> {
  known = { id, name, address: shortAddress(address) }
  await writeKey(NAME, JSON.stringify(known)).catch(() => undefined)
}

/** For a user who deleted their account. */
export async function forgetWallet(): Promise<void> {
  known = undefined
  await deleteKey(NAME)
}

function parse(text: unknown): LastWallet | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const { id, name, address } = JSON.parse(text) as Record<string, unknown>
    if (typeof id !== 'string' || typeof name !== 'string' || typeof address !== 'string') return undefined
    return { id, name, address }
  } catch {
    return undefined
  }
}
