import { wellness } from '../../protocol/wellness.ts'
import { useRead } from '../shared/api/api.ts'
import { SavedSwitch } from '../shared/page/saved-switch.tsx'

/** Whether friends who joined the week's board see one on it. */
export function FriendsSwitch() {
  const board = useRead(wellness.friends, {})
  return (
    <SavedSwitch
      label="Take part in the friends’ board"
      hint="Who you invited and who invited you see your week, if they joined too."
      saved={board.data?.joined}
      route={wellness.joinFriends}
      inputFor={(join) => ({ join })}
      checkedIn={({ join }) => join}
      shownBy={wellness.friends}
    />
  )
}
