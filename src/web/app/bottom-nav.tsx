import { Gamepad2, House, Layers, type LucideIcon, UserRound, Wallet } from 'lucide-react'
import { Link } from 'react-router'
import { useAddressPath } from './shown-location.ts'
import { ActiveRing } from './sidebar.tsx'

/** `also`: other pages that belong to the same part of the app. */
type Tab = { label: string; path: string; icon: LucideIcon; also: readonly string[] }

const tabs: Tab[] = [
  { label: 'Home', path: '/user/home', icon: House, also: [] },
  { label: 'Play', path: '/user/quize-game', icon: Gamepad2, also: ['/user/color-game', '/user/games2'] },
  {
    label: 'Earn',
    path: '/user/plans',
    icon: Layers,
    also: ['/user/re-top-up', '/user/re-top-up-history', '/user/referal'],
  },
  {
    label: 'Wallet',
    path: '/user/wallet',
    icon: Wallet,
    also: [
      ...['/user/balance', '/user/withdrawal', '/user/withdrawal-history'],
      ...['/user/internal-transfer', '/user/internal-transfer-history'],
    ],
  },
  { label: 'You', path: '/user/profile', icon: UserRound, also: ['/user/healthsupport'] },
]

/** The five parts of the app within thumb reach. Phones only; the sidebar has every page. */
export function BottomNav() {
  const pathname = useAddressPath()
  return (
    <nav
      aria-label="Quick links"
      className="fixed inset-x-0 bottom-0 z-30 border-line/70 border-t bg-ground pb-[env(safe-area-inset-bottom)]"
    >
      <ul className="mx-auto grid max-w-md grid-cols-5 px-2">
        {tabs.map(({ label, path, icon: Icon, also }) => {
          const isHere = pathname === path || also.includes(pathname)
          return (
            <li key={label}>
              <Link
                to={path}
                aria-current={pathname === path ? 'page' : isHere ? 'true' : undefined}
                className="grid h-16 w-full content-center justify-items-center rounded-2xl font-medium text-[11px] text-faint transition-colors active:scale-95 aria-[current]:text-leaf-ink"
              >
                <span className="relative grid size-9 place-items-center">
                  {isHere && <ActiveRing />}
                  <Icon size={20} aria-hidden="true" />
                </span>
                {label}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
