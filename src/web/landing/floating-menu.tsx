import { Compass, X } from 'lucide-react'
import { Link } from 'react-router'
import { buttonClass } from '../../ui/button.tsx'

const links = [
  { label: 'Home', to: '#home' },
  { label: 'Features', to: '#features' },
  { label: 'Challenges', to: '#challenges' },
  { label: 'Progress', to: '#progress' },
]

/** On phones: a round button within thumb reach. It opens the section links, Sign Up and Login. */
export function FloatingMenu({ open, onOpen }: { open: boolean; onOpen: (open: boolean) => void }) {
  const close = () => onOpen(false)
  return (
    <div className="fixed right-4 bottom-[max(1rem,env(safe-area-inset-bottom))] z-40 grid justify-items-end gap-3 wide:hidden">
      {open && (
        <div
          id="floating-menu"
          className="grid w-60 origin-bottom-right animate-pop gap-1 rounded-card border border-line bg-raised p-3 shadow-lift"
        >
          <nav aria-label="Floating menu" className="grid">
            {links.map(({ label, to }) => (
              <a
                key={label}
                href={to}
                onClick={close}
                className="flex h-12 items-center rounded-[14px] px-4 font-medium transition hover:bg-quiet"
              >
                {label}
              </a>
            ))}
          </nav>
          <div className="mt-2 grid grid-cols-2 gap-2">
            <Link to="/login/register" className={buttonClass({ size: 's' })}>
              Sign Up
            </Link>
            <Link to="/login/register" className={buttonClass({ size: 's', variant: 'quiet' })}>
              Login
            </Link>
          </div>
        </div>
      )}
      <button
        type="button"
        aria-label={open ? 'Close floating menu' : 'Open floating menu'}
        aria-expanded={open}
        aria-controls="floating-menu"
        onClick={() => onOpen(!open)}
        className="relative grid size-15 place-items-center rounded-full bg-panel text-on-panel shadow-lift transition active:scale-95"
      >
        <svg viewBox="0 0 60 60" aria-hidden="true" className="absolute inset-0">
          <path
            d="M40.500 9.500A23 23 0 1 0 53 30"
            fill="none"
            stroke="var(--lime)"
            strokeWidth="4"
            strokeLinecap="round"
          />
        </svg>
        {open ? <X size={22} aria-hidden="true" /> : <Compass size={22} aria-hidden="true" />}
      </button>
    </div>
  )
}
