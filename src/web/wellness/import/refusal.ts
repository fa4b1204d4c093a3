import { AppError } from '../../../protocol/errors.ts'

/** Ends the reading of a file with words for whoever chose it. Nothing has been sent by then. */
export function refuse(message: string): never {
  throw new AppError('import_refused', message)
}
