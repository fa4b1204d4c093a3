import { Menu, Wallet, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { shortAddress } from '../../protocol/short-address.ts'
import { noticeTexts } from '../../protocol/texts.ts'
import { buttonClass, IconButton } from '../../ui/button.tsx'
import { Logo } from '../../ui/logo.tsx'
import { useStoredUser } from '../shared/api/use-stored-user.ts'

/** Games, leaderboards and plans: in the app for users; visitors can play and read on this page. */
const linksFor = (isUser: boolean) => [
  { label: 'Home', to: '#home' },
  { label: 'Games', to: isUser ? '/user/quize-game' : '#games' },
  { label: 'Tournaments', to: '/user/quize-game#leaderboard' },
  { label: 'Marketplace', to: isUser ? '/user/plans' : '#marketplace' },
]

/** Shown in place of an address while the registration page opens. */
const ADDRESS_PLACEHOLDER = '0x0000...0000'

type LandingHeaderProps = { menuOpen: boolean; onMenu: (open: boolean) => void }

export function LandingHeader({ menuOpen, onMenu }: LandingHeaderProps) {
  const [bannerOn, setBannerOn] = useState(false)
  return (
    <header className="sticky top-0 z-30 bg-ground/88 backdrop-blur-md">
      <div className="mx-auto flex h-18 max-w-[1200px] items-center gap-2 px-5 sm:px-8">
        <Link to="/" className="mr-auto flex rounded-xl py-1">
          <Logo size={34} />
        </Link>
        <nav aria-label="Sections" className="mr-4 hidden gap-1 wide:flex">
          <NavLinks onPick={() => onMenu(false)} />
        </nav>
        <ConnectButton onToggleBanner={() => setBannerOn(!bannerOn)} />
        <IconButton
          label={menuOpen ? 'Close menu' : 'Open menu'}
          aria-expanded={menuOpen}
          aria-controls="landing-menu"
          onClick={() => onMenu(!menuOpen)}
          className="-mr-2 wide:hidden"
        >
          {menuOpen ? <X size={22} aria-hidden="true" /> : <Menu size={22} aria-hidden="true" />}
        </IconButton>
      </div>
      {menuOpen && (
        <nav
          id="landing-menu"
          aria-label="Menu"
          className="grid animate-rise gap-1 border-line border-t px-4 py-3 wide:hidden"
        >
          <NavLinks onPick={() => onMenu(false)} />
        </nav>
      )}
      {bannerOn && <Banner />}
    </header>
  )
}

function NavLinks({ onPick }: { onPick: () => void }) {
  const isUser = useStoredUser() !== undefined
  return linksFor(isUser).map(({ label, to }) => (
    <Link
      key={label}
      to={to}
      onClick={onPick}
      className="flex h-11 items-center rounded-full px-4 font-medium text-soft transition hover:bg-quiet hover:text-ink"
    >
      {label}
    </Link>
  ))
}

/** A visitor who comes back without having signed in is not connected, even if the registration page never loaded. */
function ConnectButton({ onToggleBanner }: { onToggleBanner: () => void }) {
  const user = useStoredUser()
  const navigate = useNavigate()
  const [hasClicked, setClicked] = useState(false)
  const connected = hasClicked || user !== undefined
  useEffect(() => {
    const reset = () => setClicked(false)
    addEventListener('popstate', reset)
    return () => removeEventListener('popstate', reset)
  }, [])
  const press = () => {
    if (connected) return onToggleBanner()
    setClicked(true)
    navigate('/login/register')
  }
  return (
    <button type="button" onClick={press} className={buttonClass({ variant: 'outline', size: 's' })}>
      <Wallet size={17} aria-hidden="true" className="text-leaf" />
      <span className="figures">
        {connected ? shortAddress(user?.wallet_address || ADDRESS_PLACEHOLDER) : noticeTexts.connect}
      </span>
    </button>
  )
}

function Banner() {
  const user = useStoredUser()
  return (
    <p role="status" className="animate-fade bg-panel px-5 py-3 text-center text-on-panel">
      {user ? `Signed in as ${user.username || noticeTexts.guest}. ` : 'One step left: sign in with your wallet. '}
      <Link
        to={user ? '/user/home' : '/login/register'}
        className="font-semibold text-lime underline underline-offset-4"
      >
        {user ? 'Back to the app' : 'Sign in'}
      </Link>
    </p>
  )
}
