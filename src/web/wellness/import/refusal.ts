import { AppError } from '../../../protocol/errors.ts'

/** Stops reading with a message for the user. Nothing has been sent at that point. */
export function refuse(message: string): never {
  throw new AppError('import_refused', message)
}
