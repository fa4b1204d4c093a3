import { z } from 'zod'

/** Text that JSON and PostgreSQL can store: no zero byte, and no half of a surrogate pair. */
export const storableText = z
  .string()
  .refine(
    (value) => value.isWellFormed() && !value.includes('\0'),
    'This text contains a character that cannot be stored',
  )
