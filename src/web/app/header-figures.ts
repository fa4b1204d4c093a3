import { useEffect, useRef } from 'react'
import { z } from 'zod'
import { balance } from '../../protocol/balance.ts'
import { userId } from '../../protocol/ids.ts'
import { add, larger, type Usdt, ZERO } from '../../protocol/money.ts'
import { rewards } from '../../protocol/rewards.ts'
import { users } from '../../protocol/users.ts'
import { celebrate } from '../../ui/celebration.ts'
import { moneyText } from '../../ui/format.ts'
import { notify } from '../../ui/toast.tsx'
import { useCall, useRead } from '../shared/api/api.ts'
import { useConnection } from '../shared/api/connection.ts'
import { useEvent } from '../shared/api/events.ts'
import { queries } from '../shared/api/queries.tsx'
import { readStoredUser, writeStoredUser } from '../shared/api/stored-user.ts'

/** Account figures in the header; undefined until the server replies. */
export type HeaderFigures = {
  /** Sum of the plan referral and plan reward amounts, floored at zero. */
  balance: Usdt | undefined
}

export function useHeaderFigures(): HeaderFigures {
  const details = useRead(balance.details, {}).data?.data
  useDailyClaim()
  useLevel()
  useEvent('balance', refreshDetails)
  useEvent('resync', refreshDetails)
  return {
    balance: details && larger(add(details.planreff, details.planreward), ZERO),
  }
}

const refreshDetails = (): void => void queries.invalidateQueries({ queryKey: [balance.details.path] })

/** Claims the daily reward once per page load, as soon as there is a connection. Notifies the user only if something was paid or the call failed. */
function useDailyClaim(): void {
  const { mutate } = useCall(rewards.claim)
  const started = useRef(false)
  const isOffline = useConnection() === 'offline'
  useEffect(() => {
    const user = z.safeDecode(userId, readStoredUser()?.id ?? '')
    if (started.current || isOffline || !user.success) return
    started.current = true
    mutate(
      { user_id: user.data },
      {
        onSuccess: ({ paid }) => {
          if (paid <= 0n) return
          notify.success(`Daily reward: ${moneyText(paid)} USDT`)
          celebrate()
          refreshDetails()
        },
        onError: ({ code, message }) => {
          if (code !== 'unauthenticated') notify.error(message)
        },
      },
    )
  }, [mutate, isOffline])
}

/** Keeps the level in the stored user entry current after sign-in. */
function useLevel(): void {
  const level = useRead(users.me, {}).data?.data.level
  useEffect(() => {
    const user = readStoredUser()
    if (user && level !== undefined && user.level !== level) writeStoredUser({ ...user, level })
  }, [level])
}
