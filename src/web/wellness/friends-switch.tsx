import { wellness } from '../../protocol/wellness.ts'
import { useRead } from '../shared/api/api.ts'
import { SavedSwitch } from '../shared/page/saved-switch.tsx'

/** Whether friends on the weekly board see this user there. */
export function FriendsSwitch() {
  const board = useRead(wellness.friends, {})
  return (
    <SavedSwitch
      label="Join the friends’ board"
      hint="People you invited, and the person who invited you, can see your week if they joined too."
      saved={board.data?.joined}
      failure={board.error}
      route={wellness.joinFriends}
      inputFor={(join) => ({ join })}
      shownBy={wellness.friends}
    />
  )
}
