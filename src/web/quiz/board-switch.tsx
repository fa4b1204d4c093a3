import { quiz } from '../../protocol/quiz.ts'
import { useRead } from '../shared/api/api.ts'
import { SavedSwitch } from '../shared/page/saved-switch.tsx'

/** Whether other users see this user's name on the quiz leaderboards. */
export function BoardSwitch() {
  const board = useRead(quiz.leaderboard, { period: 'day' })
  const hidden = board.data?.hidden
  return (
    <SavedSwitch
      label="Show me on the quiz leaderboards"
      hint="When this is off, only you can see your scores and your rank."
      saved={hidden === undefined ? undefined : !hidden}
      failure={board.error}
      route={quiz.visibility}
      inputFor={(shown) => ({ hide: !shown })}
      shownBy={quiz.leaderboard}
    />
  )
}
