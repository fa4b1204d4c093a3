import { ChartPie, House, LogOut, PanelLeft, RefreshCw, Target, UserRound } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { parseUsdt } from '../../protocol/money.ts'
import { noticeTexts } from '../../protocol/texts.ts'
import { IconButton } from '../../ui/button.tsx'
import { Logo } from '../../ui/logo.tsx'
import { useHiddenOnScroll, useMedia } from '../../ui/media.ts'
import { Menu, menuItemClass } from '../../ui/menu.tsx'
import { Money } from '../../ui/money.tsx'
import { notify } from '../../ui/toast.tsx'
import { NewsBell } from '../news/bell.tsx'
import { useStoredUser } from '../shared/api/use-stored-user.ts'
import { OwnAvatar } from '../shared/avatar/own-avatar.tsx'
import { CheckButton } from '../shared/check/check-button.tsx'
import { headerClass, headerLogoClass, headerRowClass } from './frame-classes.ts'
import type { HeaderFigures } from './header-figures.ts'
import { signOut } from './sign-out.ts'

const HIDE_PAST_PX = 100
const REFRESHED_KEY = 'refreshed'

/** The specification's addresses, with the names that their pages have everywhere else. */
const shortcuts = [
  { to: '/dashboard', label: 'Home', icon: House },
  { to: '/rewards', label: 'Balance', icon: ChartPie },
  { to: '/activity', label: 'Daily Challenges', icon: Target },
]

type HeaderProps = { figures: HeaderFigures; sidebarOpen: boolean; onToggleSidebar: () => void }

export function Header({ figures, sidebarOpen, onToggleSidebar }: HeaderProps) {
  const hidden = useHiddenOnScroll(HIDE_PAST_PX)
  useRefreshedNotice()
  return (
    <header
      data-hidden={hidden}
      className={`${headerClass} transition-[transform,left] duration-200 focus-within:translate-y-0 data-[hidden=true]:not-focus-within:-translate-y-full wide:left-(--sidebar)`}
    >
      <div className={headerRowClass}>
        <IconButton
          label="Toggle sidebar"
          className="@max-[420px]:w-9"
          aria-expanded={sidebarOpen}
          onClick={onToggleSidebar}
        >
          <PanelLeft size={21} aria-hidden="true" />
        </IconButton>
        <Link to="/" className={headerLogoClass}>
          <Logo size={30} />
        </Link>
        <nav aria-label="Shortcuts" className="hidden items-center sm:flex @[640px]:ml-3 @[640px]:gap-1">
          {shortcuts.map(({ to, label, icon: Icon }) => (
            <Link
              key={to}
              to={to}
              title={label}
              className="flex h-10 items-center gap-2 rounded-full px-3 font-medium text-[15px] text-soft transition hover:bg-quiet hover:text-ink"
            >
              <Icon size={18} aria-hidden="true" />
              <span className="@max-[820px]:sr-only">{label}</span>
            </Link>
          ))}
        </nav>
        <div className="ml-auto flex items-center sm:gap-2">
          <CheckButton />
          <BalanceChip figures={figures} />
          <NewsBell />
          <IconButton label="Refresh page" className="@max-[420px]:w-9" onClick={refresh}>
            <RefreshCw size={19} aria-hidden="true" />
          </IconButton>
          <ProfileMenu />
        </div>
      </div>
    </header>
  )
}

/** From here on, a phone's header has room for whole USDT only. */
const LARGE = parseUsdt('100000')

/** Only the rewards, as the specification defines it. The page behind it shows everything. */
function BalanceChip({ figures: { balance } }: { figures: HeaderFigures }) {
  return (
    <Link
      to="/user/balance"
      title="Rewards: your daily and referral rewards"
      className="flex h-10 min-w-30 @max-[380px]:min-w-0 items-center justify-between gap-2 whitespace-nowrap rounded-full border border-line bg-surface pr-3.5 pl-3 font-semibold text-[15px] transition hover:border-line-strong"
    >
      <span className="sr-only">Rewards </span>
      <span aria-hidden="true" className="size-2.5 rounded-full border-[3px] border-leaf @max-[380px]:hidden" />
      {balance === undefined ? (
        <span className="text-faint">– USDT</span>
      ) : (
        <Money amount={balance} className={balance < LARGE ? '' : '@max-[460px]:*:sr-only'} />
      )}
    </Link>
  )
}

/** On phones there is no room for the shortcuts in the header, so they are in this menu. */
function ProfileMenu() {
  const user = useStoredUser()
  const name = user?.username || noticeTexts.guest
  const onPhone = useMedia('(max-width: 639px)')
  return (
    <Menu
      label={`Profile menu of ${name}`}
      closeOnLeave
      triggerClass="grid size-11 place-items-center rounded-full transition active:scale-95"
      trigger={<OwnAvatar />}
      head={
        <div className="flex items-center gap-3 px-3 pt-2 pb-3">
          <OwnAvatar size={44} />
          <div className="min-w-0">
            <p className="truncate font-semibold">{name}</p>
            <p className="text-faint text-sm">Level {user?.level ?? 0}</p>
          </div>
        </div>
      }
    >
      <Link to="/user/profile" role="menuitem" className={menuItemClass}>
        <UserRound size={18} aria-hidden="true" className="text-faint" />
        My Profile
      </Link>
      {onPhone &&
        shortcuts.map(({ to, label, icon: Icon }) => (
          <Link key={to} to={to} role="menuitem" className={menuItemClass}>
            <Icon size={18} aria-hidden="true" className="text-faint" />
            {label}
          </Link>
        ))}
      <button type="button" role="menuitem" className={menuItemClass} onClick={signOut}>
        <LogOut size={18} aria-hidden="true" className="text-faint" />
        Sign out
      </button>
    </Menu>
  )
}

function refresh(): void {
  sessionStorage.setItem(REFRESHED_KEY, 'yes')
  location.reload()
}

function useRefreshedNotice(): void {
  const done = useRef(false)
  useEffect(() => {
    if (done.current || sessionStorage.getItem(REFRESHED_KEY) === null) return
    done.current = true
    sessionStorage.removeItem(REFRESHED_KEY)
    notify.success(noticeTexts.refreshed)
  }, [])
}
