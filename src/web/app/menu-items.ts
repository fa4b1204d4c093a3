import {
  ArrowLeftRight,
  BanknoteArrowUp,
  Gamepad2,
  HeartPulse,
  House,
  Layers,
  type LucideIcon,
  Palette,
  RefreshCw,
  Settings,
  ShieldCheck,
  Target,
  Users,
  Wallet,
} from 'lucide-react'

/** `note` explains a label that is not plain English. */
export type MenuItem = { id: string; label: string; path: string; icon: LucideIcon; badge?: string; note?: string }

/** The sidebar's entries, in the order and the spelling of the specification. */
export const menuItems: MenuItem[] = [
  { id: 'home', label: 'Home', path: '/user/home', icon: House },
  { id: 'games', label: 'Daily Challenges', path: '/user/games2', icon: Target, badge: 'New' },
  { id: 'referral', label: 'referral', path: '/user/referal', icon: Users, note: 'your team' },
  { id: 'plans', label: 'plans', path: '/user/plans', icon: Layers },
  { id: 're-top-up', label: 'Re Top Up', path: '/user/re-top-up', icon: RefreshCw, note: 'reinvest rewards' },
  { id: 'withdrawal', label: 'withdrawal', path: '/user/withdrawal', icon: BanknoteArrowUp },
  { id: 'internal-transfer', label: 'internal Transfer', path: '/user/internal-transfer', icon: ArrowLeftRight },
  { id: 'wallet', label: 'Wallet', path: '/user/wallet', icon: Wallet },
  { id: 'health-support', label: 'Health Support', path: '/user/healthsupport', icon: HeartPulse },
]

/** Entries that the specification does not list, below its own. */
export const moreItems: MenuItem[] = [
  { id: 'quiz-game', label: 'Quiz', path: '/user/quize-game', icon: Gamepad2 },
  { id: 'colour-game', label: 'Colour game', path: '/user/color-game', icon: Palette },
  { id: 'trust', label: 'Trust', path: '/trust', icon: ShieldCheck },
  { id: 'settings', label: 'Settings', path: '/user/profile#settings', icon: Settings },
]

/** An entry may lead to a part of a page, after the #. */
export const pageOf = (path: string): string => path.split('#')[0] ?? path

export const INITIAL_ITEM = 'games'
