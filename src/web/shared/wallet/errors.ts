import { notify } from '../../../ui/toast.tsx'

const USER_REJECTED = 4001

type WalletError = { code?: number; name?: string; message?: string; shortMessage?: string; cause?: unknown }

function* causesOf(error: unknown): Generator<WalletError> {
  for (let e = error as WalletError | undefined; e; e = e.cause as typeof e) yield e
}

/** Somebody pressed 'Reject' in their wallet: not an error, they changed their mind. */
export const isRejection = (error: unknown): boolean => [...causesOf(error)].some(({ code }) => code === USER_REJECTED)

/** Tells what went wrong while a wallet was asked to sign or send. */
export function notifyWalletProblem(error: unknown, whenDeclined: string): void {
  if (isRejection(error)) notify.neutral(whenDeclined)
  else notify.error(problemOf(error))
}

// The library's own message goes on for a page. Where it does not know the error, what the wallet or our server said is
// the innermost cause; otherwise its short form is the clearer one.
function problemOf(error: unknown): string {
  const causes = [...causesOf(error)]
  const isUnknown = causes.some(({ name }) => name?.startsWith('Unknown'))
  const told = isUnknown ? causes.at(-1) : causes[0]
  return told?.shortMessage ?? told?.message?.split('\n')[0] ?? 'The wallet did not answer'
}
