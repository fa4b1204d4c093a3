import { LogOut } from 'lucide-react'
import { Activity, memo, useDeferredValue, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { brand } from '../../protocol/brand.ts'
import { noticeTexts } from '../../protocol/texts.ts'
import { Mark } from '../../ui/logo.tsx'
import { useStoredUser } from '../shared/api/use-stored-user.ts'
import { OwnAvatar } from '../shared/avatar/own-avatar.tsx'
import { useActiveMenu } from './active-menu.ts'
import { type MenuItem, menuItems, moreItems, pageOf } from './menu-items.ts'
import { useAddressPath } from './shown-location.ts'
import { logOut } from './sign-out.ts'
import { WellnessScore } from './wellness-score.tsx'

type SidebarProps = {
  /** A drawer over the page on phones, otherwise a column beside it. */
  drawer: boolean
  /** On phones: the drawer is shown. Otherwise: the column has its full width. */
  open: boolean
  onClose: () => void
}

export function Sidebar({ drawer, open, onClose }: SidebarProps) {
  const [active, choose] = useActiveMenu()
  // The empty drawer answers the tap, what is in it follows: a slow phone would take a tenth of a second to lay it out.
  const isFilled = useDeferredValue(open) && open
  const panel = useDrawer(drawer && open, drawer && isFilled, onClose)
  const compact = !drawer && !open
  const [wasShown, setShown] = useState(false)
  if (!wasShown && (!drawer || isFilled)) setShown(true)
  const place = drawer
    ? `w-[288px] max-w-[84vw] shadow-lift duration-200 ${open ? 'transition-[translate]' : 'invisible -translate-x-full transition-[translate,visibility]'}`
    : `border-line/70 border-r transition-[width] duration-200 ${compact ? 'w-[80px]' : 'w-[260px]'}`
  return (
    <>
      {drawer && open && (
        <button
          type="button"
          aria-label="Close sidebar"
          tabIndex={-1}
          onClick={onClose}
          className="fixed inset-0 z-40 animate-fade cursor-default bg-[rgb(8_18_14/.55)]"
        />
      )}
      <aside
        ref={panel}
        aria-label="Sidebar"
        data-state={open ? 'open' : 'closed'}
        className={`fixed inset-y-0 left-0 z-50 flex flex-col overflow-hidden bg-ground wide:z-20 ${place}`}
      >
        {/* A drawer that was never open is rendered after everything that can be seen. */}
        <Activity mode={wasShown ? 'visible' : 'hidden'}>
          <div
            className={`flex min-h-0 grow flex-col ${drawer && !isFilled ? 'invisible transition-[visibility] duration-200' : ''}`}
          >
            <Contents active={active} compact={compact} onChoose={choose} onPick={drawer ? onClose : undefined} />
          </div>
        </Activity>
      </aside>
    </>
  )
}

type ContentsProps = {
  active: string
  compact: boolean
  onChoose: (id: string) => void
  /** Called for everything that leads to another page. */
  onPick: (() => void) | undefined
}

/** Opening the drawer changes nothing in it, so it is not rendered again while the user waits for it. */
const Contents = memo(function Contents({ active, compact, onChoose, onPick }: ContentsProps) {
  const pick = (id: string) => {
    onChoose(id)
    onPick?.()
  }
  const entries = (items: MenuItem[]) =>
    items.map((item) => (
      <li key={item.id}>
        <Entry item={item} active={item.id === active} compact={compact} onPick={() => pick(item.id)} />
      </li>
    ))
  return (
    <>
      <Brand compact={compact} />
      <div className="flex-1 overflow-y-auto overflow-x-hidden px-3 py-2">
        <nav aria-label="Main">
          <ul className="grid gap-0.5">
            {entries(menuItems)}
            <li>
              <LogOutEntry compact={compact} />
            </li>
          </ul>
        </nav>
        <nav aria-labelledby="sidebar-more" className="mt-3 border-line/70 border-t pt-3">
          <h2
            id="sidebar-more"
            className={compact ? 'sr-only' : 'px-3 pb-1 font-sans! font-semibold text-faint text-sm tracking-normal!'}
          >
            More
          </h2>
          <ul className="grid gap-0.5">{entries(moreItems)}</ul>
        </nav>
      </div>
      <Foot compact={compact} onPick={onPick} />
    </>
  )
})

const entryClass =
  'group flex h-12 w-full items-center gap-2 whitespace-nowrap rounded-[16px] px-1.5 text-left font-medium text-[15px] text-soft transition-colors hover:bg-quiet hover:text-ink data-[active=true]:bg-surface data-[active=true]:text-ink data-[active=true]:shadow-card aria-[current=page]:font-semibold aria-[current=page]:text-ink'

type EntryProps = { item: MenuItem; active: boolean; compact: boolean; onPick: () => void }

function Entry({ item: { label, path, icon: Icon, badge, note }, active, compact, onPick }: EntryProps) {
  const isCurrent = useAddressPath() === pageOf(path)
  return (
    <Link
      to={path}
      onClick={onPick}
      title={note ? `${label}: ${note}` : label}
      data-active={active}
      aria-current={isCurrent ? 'page' : undefined}
      className={entryClass}
    >
      <span className={`relative grid size-11 shrink-0 place-items-center ${active ? 'text-leaf-ink' : 'text-faint'}`}>
        {active && <ActiveRing />}
        <Icon size={20} aria-hidden="true" />
      </span>
      <span className={compact ? 'sr-only' : ''}>{label}</span>
      {note && <span className={compact ? 'sr-only' : 'truncate text-faint text-xs'}> {note}</span>}
      {badge && !compact && (
        <span className="ml-auto mr-1.5 rounded-full bg-lime px-2 py-0.5 font-semibold text-[#10231c] text-xs">
          {badge}
        </span>
      )}
    </Link>
  )
}

function LogOutEntry({ compact }: { compact: boolean }) {
  return (
    <button type="button" onClick={logOut} title="Log Out" className={entryClass}>
      <span className="grid size-11 shrink-0 place-items-center text-faint">
        <LogOut size={20} aria-hidden="true" />
      </span>
      <span className={compact ? 'sr-only' : ''}>Log Out</span>
    </button>
  )
}

/** The brand ring around the selected entry. */
export function ActiveRing() {
  return (
    <svg viewBox="0 0 44 44" className="absolute inset-0" aria-hidden="true">
      <path
        d="M29.5 5.9A17.8 17.8 0 1 0 39.8 22"
        pathLength={1}
        strokeDasharray={1}
        fill="none"
        strokeWidth="2.6"
        strokeLinecap="round"
        className="animate-ring stroke-leaf"
      />
    </svg>
  )
}

function Brand({ compact }: { compact: boolean }) {
  return (
    <Link to="/" className="m-3 flex h-14 shrink-0 items-center gap-3 rounded-xl px-2">
      <Mark size={38} />
      <span className="sr-only">{brand.name} start page</span>
      {!compact && (
        <span className="whitespace-pre-line font-display text-[13px] text-soft leading-tight tracking-normal">
          {brand.tagline.replace(' Feel', '\nFeel')}
        </span>
      )}
    </Link>
  )
}

function Foot({ compact, onPick }: { compact: boolean; onPick: (() => void) | undefined }) {
  const user = useStoredUser()
  const name = user?.username || noticeTexts.guest
  return (
    <div className="grid gap-3 p-3 pb-[max(.75rem,env(safe-area-inset-bottom))]">
      <WellnessScore compact={compact} />
      <Link
        to="/user/profile"
        {...(onPick && { onClick: onPick })}
        title="Profile"
        className="flex items-center gap-3 rounded-[16px] p-1.5 transition hover:bg-quiet"
      >
        <OwnAvatar size={44} />
        <span className="sr-only">Profile of</span>
        <span className={compact ? 'sr-only' : 'min-w-0 leading-tight'}>
          <span className="block truncate font-semibold text-[15px]">{name}</span>
          <span className="text-faint text-sm">Level {user?.level ?? 0}</span>
        </span>
      </Link>
    </div>
  )
}

/** While the drawer is open, Escape closes it and the page cannot scroll. It has the focus once there is something in it. */
function useDrawer(open: boolean, isFilled: boolean, onClose: () => void) {
  const panel = useRef<HTMLElement>(null)
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    if (!open) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close.current()
    }
    document.body.style.overflow = 'hidden'
    addEventListener('keydown', onKey)
    return () => {
      document.body.style.overflow = ''
      removeEventListener('keydown', onKey)
    }
  }, [open])
  useEffect(() => {
    if (!isFilled) return
    const before = document.activeElement as HTMLElement | null
    panel.current?.querySelector<HTMLElement>('nav a')?.focus()
    return () => before?.focus()
  }, [isFilled])
  return panel
}
