import type { Generated } from 'kysely'
import type { ShareFigures } from '../../../protocol/shares.ts'
import type { GameId } from '../quiz/tables.ts'

export type SharesTables = {
  shares: {
    /** The unguessable end of the public address. */
    link: string
    user_number: number
    kind: ShareFigures['kind']
    figures: ShareFigures
    game_id: GameId | null
    created_at: Generated<Date>
  }
}
