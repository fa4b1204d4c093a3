import type { Usdt } from '../../protocol/money.ts'
import { network } from '../../protocol/network.ts'
import { useRead } from '../api.ts'

/** What the header shows of the account; undefined until the server has answered. */
export type HeaderFigures = {
  /** Plan referral and plan reward amounts together, never below zero. */
  balance: Usdt | undefined
  /** The network's name, such as 'Development chain'. */
  networkName: string | undefined
}

export function useHeaderFigures(): HeaderFigures {
  const info = useRead(network.info, {})
  return { balance: undefined, networkName: info.data?.network_name }
}
