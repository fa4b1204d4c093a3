import {
  ArrowLeftRight,
  BanknoteArrowUp,
  HeartPulse,
  House,
  Layers,
  type LucideIcon,
  RefreshCw,
  Target,
  Users,
  Wallet,
} from 'lucide-react'

export type MenuItem = { id: string; label: string; path: string; icon: LucideIcon; badge?: string }

/** The sidebar's entries, in order. The specification writes some in lower case; CSS capitalises their first letter. */
export const menuItems: MenuItem[] = [
  { id: 'home', label: 'Home', path: '/user/home', icon: House },
  { id: 'games', label: 'Daily Challenges', path: '/user/games2', icon: Target, badge: 'New' },
  { id: 'referral', label: 'referral', path: '/user/referal', icon: Users },
  { id: 'plans', label: 'plans', path: '/user/plans', icon: Layers },
  { id: 're-top-up', label: 'Re Top Up', path: '/user/re-top-up', icon: RefreshCw },
  { id: 'withdrawal', label: 'withdrawal', path: '/user/withdrawal', icon: BanknoteArrowUp },
  { id: 'internal-transfer', label: 'internal Transfer', path: '/user/internal-transfer', icon: ArrowLeftRight },
  { id: 'wallet', label: 'Wallet', path: '/user/wallet', icon: Wallet },
  { id: 'health-support', label: 'Health Support', path: '/user/healthsupport', icon: HeartPulse },
]

export const INITIAL_ITEM = 'games'
