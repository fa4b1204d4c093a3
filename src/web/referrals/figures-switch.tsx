import { referrals } from '../../protocol/referrals.ts'
import { notify } from '../../ui/toast.tsx'
import { useCall, useRead } from '../shared/api/api.ts'
import { queries } from '../shared/api/queries.tsx'
import { SavedSwitch } from '../shared/page/saved-switch.tsx'

/** Whether those above in the tree see one's plans and team. */
export function FiguresSwitch() {
  const summary = useRead(referrals.summary, {})
  const save = useCall(referrals.privacy)
  const hides = summary.data?.data.hides_figures
  return (
    <SavedSwitch
      label="Show my figures to my upline"
      hint="Plans, team and its volume. Your name and level stay visible."
      saved={hides === undefined ? undefined : !hides}
      chosen={save.isPending ? !save.variables.hide : undefined}
      onChoose={(shown) =>
        save.mutate(
          { hide: !shown },
          {
            onSuccess: async ({ Msg }) => {
              await queries.invalidateQueries({ queryKey: [referrals.summary.path] })
              notify.success(Msg)
            },
            onError: (error) => notify.error(error.message),
          },
        )
      }
    />
  )
}
