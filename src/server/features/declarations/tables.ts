import type { GeneratedAlways } from 'kysely'

export type DeclarationsTables = {
  declarations: {
    user_number: number
    declared_at: GeneratedAlways<Date>
    /** The user declared to be at least this old. */
    age: number
    country: string | null
  }
}
