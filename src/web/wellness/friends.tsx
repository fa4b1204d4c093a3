import { Users } from 'lucide-react'
import { Link } from 'react-router'
import { figureText } from '../../protocol/figures.ts'
import type { OutputOf } from '../../protocol/route.ts'
import { wellness } from '../../protocol/wellness.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { SkeletonText } from '../../ui/skeleton.tsx'
import { Empty } from '../../ui/states.tsx'
import { notify } from '../../ui/toast.tsx'
import { useCall, useRead } from '../shared/api/api.ts'
import { queries } from '../shared/api/queries.tsx'
import { FailedRead } from '../shared/page/failed-read.tsx'

type Board = OutputOf<typeof wellness.friends>

/** The weekly board of friends: the inviter and the people invited. Only users who joined see it and appear on it. */
export function Friends() {
  const board = useRead(wellness.friends, {})
  return (
    <Card className="grid gap-4">
      <h2 className="text-xl">Friends this week</h2>
      {board.isLoadingError ? (
        <FailedRead error={board.error} onRetry={() => board.refetch()} />
      ) : !board.data ? (
        <SkeletonText />
      ) : (
        <BoardView board={board.data} />
      )}
    </Card>
  )
}

function BoardView({ board }: { board: Board }) {
  const join = useCall(wellness.joinFriends)
  const choose = (joining: boolean) =>
    join.mutate(
      { join: joining },
      {
        onSuccess: ({ Msg }) => {
          notify.success(Msg)
          void queries.invalidateQueries({ queryKey: [wellness.friends.path] })
        },
        onError: (error) => notify.error(error.message),
      },
    )
  if (!board.joined)
    return (
      <Empty
        title="Better together"
        icon={<Users aria-hidden="true" />}
        action={
          <Button onClick={() => choose(true)} busy={join.isPending}>
            Join the board
          </Button>
        }
      >
        People you invited, and the person who invited you, can see your name, level, and this week's rings and points
        if they joined too. They see nothing else, and you can leave at any time.
      </Empty>
    )
  return (
    <>
      <ol className="grid gap-1">
        {board.data.map((friend) => (
          <FriendRow key={friend.username} friend={friend} />
        ))}
      </ol>
      {board.data.length === 1 && (
        <div className="grid justify-items-start gap-3 rounded-inner bg-sunken p-4">
          <p className="text-soft">
            {board.invited > 0 ? "Your friends haven't joined the board yet." : 'Invite a friend and compete here.'}
          </p>
          <Link to="/user/referal" className={buttonClass({ size: 's', variant: 'outline' })}>
            Your invitation link
          </Link>
        </div>
      )}
      <Button variant="bare" size="s" className="w-fit text-faint" onClick={() => choose(false)} busy={join.isPending}>
        Leave the board
      </Button>
    </>
  )
}

function FriendRow({ friend }: { friend: Board['data'][number] }) {
  const medal = ['bg-gold text-[#10231c]', 'bg-track text-ink', 'bg-coral-tint text-coral-ink'][friend.rank - 1]
  return (
    <li className={`flex items-center gap-3 rounded-inner px-3 py-2.5 ${friend.me ? 'bg-leaf-tint' : ''}`}>
      <span
        className={`figures grid size-8 shrink-0 place-items-center rounded-full font-bold text-sm ${medal ?? 'text-faint'}`}
      >
        {friend.rank}
      </span>
      <span className="grid min-w-0 grow leading-tight">
        <span className="flex items-center gap-2 font-semibold">
          <span className="truncate">{friend.username}</span>
          {friend.me && <Badge tone="leaf">You</Badge>}
          {friend.inviter && <Badge tone="ink">Invited you</Badge>}
        </span>
        <span className="figures text-faint text-sm">
          Level {friend.level} · {friend.rings_week} {friend.rings_week === 1 ? 'ring' : 'rings'}
        </span>
      </span>
      <span className="figures shrink-0 font-semibold">{figureText(friend.points_week)}</span>
    </li>
  )
}
