import { RefreshCw } from 'lucide-react'
import { HeadLink } from '../shared/page/page-head.tsx'

export const TopUpLink = () => (
  <HeadLink to="/user/re-top-up" icon={RefreshCw}>
    Re Top Up
  </HeadLink>
)
