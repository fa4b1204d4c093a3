import { quiz } from '../../protocol/quiz.ts'
import { notify } from '../../ui/toast.tsx'
import { useCall, useRead } from '../shared/api/api.ts'
import { queries } from '../shared/api/queries.tsx'
import { SavedSwitch } from '../shared/page/saved-switch.tsx'

/** Whether others see one's name on the leaderboards of the quiz. */
export function BoardSwitch() {
  const read = useRead(quiz.leaderboard, { period: 'day' })
  const save = useCall(quiz.visibility)
  return (
    <SavedSwitch
      label="Show me on the quiz leaderboards"
      hint="Off: only you see your scores and your place."
      saved={read.data && !read.data.hidden}
      chosen={save.isPending ? !save.variables.hide : undefined}
      onChoose={(shown) =>
        save.mutate(
          { hide: !shown },
          {
            onSuccess: async ({ Msg }) => {
              await queries.invalidateQueries({ queryKey: [quiz.leaderboard.path] })
              notify.success(Msg)
            },
            onError: (error) => notify.error(error.message),
          },
        )
      }
    />
  )
}
