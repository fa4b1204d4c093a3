import { notify } from '../../../ui/toast.tsx'

const USER_REJECTED = 4001

type WalletError = { code?: number; name?: string; message?: string; shortMessage?: string; cause?: unknown }

function* causesOf(error: unknown): Generator<WalletError> {
  for (let e = error as WalletError | undefined; e; e = e.cause as typeof e) yield e
}

/** The user pressed 'Reject' in the wallet: a choice, not an error. */
export const isRejection = (error: unknown): boolean => [...causesOf(error)].some(({ code }) => code === USER_REJECTED)

/** Notifies the user that signing or sending failed, or was declined in the wallet. */
export function notifyWalletProblem(error: unknown, whenDeclined: string): void {
  if (isRejection(error)) notify.neutral(whenDeclined)
  else notify.error(problemOf(error))
}

// viem's full messages are very long, so this shows a short one. For errors that viem does not recognise, the innermost
// cause has the message of the wallet or of our server.
function problemOf(error: unknown): string {
  const causes = [...causesOf(error)]
  const isUnknown = causes.some(({ name }) => name?.startsWith('Unknown'))
  const shown = isUnknown ? causes.at(-1) : causes[0]
  return shown?.shortMessage ?? shown?.message?.split('\n')[0] ?? 'The wallet did not answer'
}
