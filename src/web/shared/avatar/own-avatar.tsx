import { noticeTexts } from '../../../protocol/texts.ts'
import { users } from '../../../protocol/users.ts'
import { useRead } from '../api/api.ts'
import { useStoredUser } from '../api/use-stored-user.ts'
import { Avatar } from './avatar.tsx'

/** The avatar of the signed-in user. */
export function OwnAvatar({ size }: { size?: number }) {
  const user = useStoredUser()
  const drawing = useRead(users.me, {}).data?.data.avatar
  return (
    <Avatar
      name={user?.username || noticeTexts.guest}
      address={user?.wallet_address ?? ''}
      {...(drawing && { drawing })}
      {...(size && { size })}
    />
  )
}
