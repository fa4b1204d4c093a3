import { AppError } from '../../protocol/errors.ts'
import type { Refusal } from '../../protocol/rules.ts'

/** Throws the refusal of a shared rule, if there is one, as the error that the caller gets. */
export function throwIfRefused(refusal: Refusal | undefined, field?: string): void {
  if (refusal) throw new AppError(refusal.code, refusal.message, field)
}
