import { wellness } from '../../protocol/wellness.ts'
import { notify } from '../../ui/toast.tsx'
import { useCall, useRead } from '../shared/api/api.ts'
import { queries } from '../shared/api/queries.tsx'
import { SavedSwitch } from '../shared/page/saved-switch.tsx'

/** Whether friends who joined the week's board see one on it. */
export function FriendsSwitch() {
  const board = useRead(wellness.friends, {})
  const save = useCall(wellness.joinFriends)
  return (
    <SavedSwitch
      label="Take part in the friends’ board"
      hint="Who you invited and who invited you see your week, if they joined too."
      saved={board.data?.joined}
      chosen={save.isPending ? save.variables.join : undefined}
      onChoose={(join) =>
        save.mutate(
          { join },
          {
            onSuccess: async ({ Msg }) => {
              await queries.invalidateQueries({ queryKey: [wellness.friends.path] })
              notify.success(Msg)
            },
            onError: (error) => notify.error(error.message),
          },
        )
      }
    />
  )
}
