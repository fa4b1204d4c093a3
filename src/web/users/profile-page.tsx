import { CalendarDays, UserRoundPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { figureText } from '../../protocol/figures.ts'
import type { OutputOf } from '../../protocol/route.ts'
import { pointsForLevel, shownName, users } from '../../protocol/users.ts'
import { Address } from '../../ui/address.tsx'
import { AnimatedNumber } from '../../ui/animated-number.tsx'
import { Card } from '../../ui/card.tsx'
import { dateText } from '../../ui/format.ts'
import { Ring } from '../../ui/ring.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { isTried, useRead } from '../shared/api/api.ts'
import { useEvent } from '../shared/api/events.ts'
import { Avatar } from '../shared/avatar/avatar.tsx'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { Appearance } from './appearance.tsx'
import { AvatarPicker } from './avatar-picker.tsx'
import { Invitation } from './invitation.tsx'
import { Sessions } from './sessions.tsx'
import { WaitingChange } from './waiting-change.tsx'
import { WalletCard } from './wallet-card.tsx'

type Me = OutputOf<typeof users.me>['data']

/** The profile with level and settings. `wide` and `children` are slots for other features. */
export function ProfilePage({ wide, children }: { wide?: ReactNode; children?: ReactNode }) {
  const me = useRead(users.me, {})
  const change = useRead(users.walletChange, {})
  useEvent('wallet-change', () => change.refetch())
  if (me.isLoadingError) return <FailedRead error={me.error} onRetry={() => me.refetch()} />
  // The notice of a change is above everything else, so nothing is shown before it is known.
  const isReady = me.data && isTried(change)
  return (
    <div className="grid gap-5 lg:grid-cols-[1.25fr_1fr] lg:items-start">
      <div className="grid gap-5">
        {isReady && change.data?.waiting && <WaitingChange change={change.data.waiting} />}
        {isReady ? <Person me={me.data.data} /> : <Skeleton className="h-108 rounded-card sm:h-70 lg:h-106" />}
        {me.data ? (
          <Invitation code={me.data.data.referral_code} />
        ) : (
          <Skeleton className="h-65 rounded-card sm:h-52" />
        )}
        {wide}
        <WalletCard me={me.data?.data} change={change} />
        <Sessions />
      </div>
      <div id="settings" className="grid scroll-mt-24 gap-5">
        <Appearance />
        {children}
      </div>
    </div>
  )
}

/** Long names get smaller type, so that they stay on one line at 390 px and do not break inside their number. */
function nameSize({ length }: string): string {
  if (length > 18) return 'text-2xl sm:text-4xl'
  return length > 13 ? 'text-3xl sm:text-5xl' : 'text-4xl sm:text-5xl'
}

function Person({ me }: { me: Me }) {
  const [from, to] = [pointsForLevel(me.level), pointsForLevel(me.level + 1)]
  return (
    <Card weight="lead" padding="l" className="grid gap-7">
      <div className="flex flex-wrap items-center gap-6">
        <div className="flex items-center gap-5">
          <Ring
            value={(me.points - from) / (to - from)}
            size={124}
            stroke={12}
            tone="lime"
            track="stroke-panel-line"
            label={`Progress to level ${me.level + 1}`}
          >
            <span className="block text-on-panel-soft text-sm">Level</span>
            <span className="font-display text-5xl leading-none">{me.level}</span>
          </Ring>
          <Avatar name={me.username} address={me.wallet_address} size={92} {...(me.avatar && { drawing: me.avatar })} />
        </div>
        <div className="grid min-w-0 gap-2">
          <h1 className={`wrap-anywhere ${nameSize(me.username)}`}>{me.username}</h1>
          <p className="text-on-panel-soft">
            <AnimatedNumber value={me.points} format={figureText} /> points · {figureText(Math.max(0, to - me.points))}{' '}
            to level {me.level + 1}
          </p>
          <AvatarPicker username={me.username} address={me.wallet_address} chosen={me.avatar} />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 border-panel-line border-t pt-5 text-on-panel-soft">
        <span className="text-ink">
          <Address address={me.wallet_address} />
        </span>
        <span className="inline-flex items-center gap-2">
          <CalendarDays size={17} aria-hidden="true" />
          Member since {dateText(me.created_at)}
        </span>
        {me.sponsor && (
          <span className="inline-flex items-center gap-2">
            <UserRoundPlus size={17} aria-hidden="true" />
            Invited by {shownName(me.sponsor)}
          </span>
        )}
      </div>
    </Card>
  )
}
