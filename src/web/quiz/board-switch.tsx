import { quiz } from '../../protocol/quiz.ts'
import { useRead } from '../shared/api/api.ts'
import { SavedSwitch } from '../shared/page/saved-switch.tsx'

/** Whether other users see this user's name on the quiz leaderboards. */
export function BoardSwitch() {
  const hidden = useRead(quiz.leaderboard, { period: 'day' }).data?.hidden
  return (
    <SavedSwitch
      label="Show me on the quiz leaderboards"
      hint="When this is off, only you can see your scores and your rank."
      saved={hidden === undefined ? undefined : !hidden}
      route={quiz.visibility}
      inputFor={(shown) => ({ hide: !shown })}
      checkedIn={({ hide }) => !hide}
      shownBy={quiz.leaderboard}
    />
  )
}
