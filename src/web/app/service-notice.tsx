import { useEffect } from 'react'
import { notify } from '../../ui/toast.tsx'
import { useIsWaiting } from '../shared/api/service-wait.ts'

const ID = 'service-wait'

/** Tells the user that a call is repeated until the service is back. */
export function ServiceNotice() {
  const isWaiting = useIsWaiting()
  useEffect(() => {
    if (!isWaiting) return
    notify.loading('The service is restarting. We keep trying: you can wait here.', { id: ID })
    return () => notify.dismiss(ID)
  }, [isWaiting])
  return null
}
