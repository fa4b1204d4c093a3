import { quiz } from '../../protocol/quiz.ts'
import { useRead } from '../shared/api/api.ts'
import { SavedSwitch } from '../shared/page/saved-switch.tsx'

/** Whether others see one's name on the leaderboards of the quiz. */
export function BoardSwitch() {
  const hidden = useRead(quiz.leaderboard, { period: 'day' }).data?.hidden
  return (
    <SavedSwitch
      label="Show me on the quiz leaderboards"
      hint="Off: only you see your scores and your place."
      saved={hidden === undefined ? undefined : !hidden}
      route={quiz.visibility}
      inputFor={(shown) => ({ hide: !shown })}
      checkedIn={({ hide }) => !hide}
      shownBy={quiz.leaderboard}
    />
  )
}
