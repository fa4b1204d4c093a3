import { referrals } from '../../protocol/referrals.ts'
import { useRead } from '../shared/api/api.ts'
import { SavedSwitch } from '../shared/page/saved-switch.tsx'

/** Whether the user's upline can see their plans and team. */
export function FiguresSwitch() {
  const summary = useRead(referrals.summary, {})
  const hides = summary.data?.data.hides_figures
  return (
    <SavedSwitch
      label="Show my figures to my upline"
      hint="How much you hold in plans, and the size of your whole team. They always see your name, your level, when you joined, whether you have a plan, and who you invited."
      saved={hides === undefined ? undefined : !hides}
      failure={summary.error}
      route={referrals.privacy}
      inputFor={(shown) => ({ hide: !shown })}
      shownBy={referrals.summary}
    />
  )
}
