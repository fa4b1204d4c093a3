import '../shared/api/no-eval.ts'
import { Outlet } from 'react-router'
import { Toaster } from '../../ui/toast.tsx'
import { WithQueries } from '../shared/api/queries.tsx'
import { Soon } from '../shared/page/soon.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { ShownPairing } from './pairing.tsx'
import { ServiceNotice } from './service-notice.tsx'

/** Server queries and notifications, for every page except the landing page. */
export function Providers() {
  return (
    <WithQueries>
      <Toaster />
      <Soon>
        <ServiceNotice />
        <ConnectionNotice />
        <ShownPairing />
      </Soon>
      <Outlet />
    </WithQueries>
  )
}
