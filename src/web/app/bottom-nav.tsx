import { Menu } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { menuItems } from './menu-items.ts'
import { ActiveRing } from './sidebar.tsx'

const labels: Record<string, string> = { home: 'Home', games: 'Challenges', plans: 'Plans', wallet: 'Wallet' }
const items = menuItems.filter(({ id }) => id in labels)

/** Links to the four most used pages, and a button that opens the sidebar. Phones only. */
export function BottomNav({ onMore }: { onMore: () => void }) {
  const { pathname } = useLocation()
  return (
    <nav
      aria-label="Quick links"
      className="fixed inset-x-0 bottom-0 z-30 border-line/70 border-t bg-ground pb-[env(safe-area-inset-bottom)]"
    >
      <ul className="mx-auto grid max-w-md grid-cols-5 px-2">
        {items.map(({ id, path, icon: Icon }) => (
          <li key={id}>
            <Link to={path} aria-current={pathname === path ? 'page' : undefined} className={tabClass}>
              <span className="relative grid size-9 place-items-center">
                {pathname === path && <ActiveRing />}
                <Icon size={20} aria-hidden="true" />
              </span>
              {labels[id]}
            </Link>
          </li>
        ))}
        <li>
          <button type="button" onClick={onMore} className={tabClass}>
            <span className="grid size-9 place-items-center">
              <Menu size={20} aria-hidden="true" />
            </span>
            More
          </button>
        </li>
      </ul>
    </nav>
  )
}

const tabClass =
  'grid h-16 w-full content-center justify-items-center rounded-2xl font-medium text-[11px] text-faint transition-colors active:scale-95 aria-[current=page]:text-leaf-ink'
