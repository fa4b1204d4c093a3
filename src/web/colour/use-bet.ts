import { useCallback, useEffect, useState } from 'react'
import { type Bet, colour as routes } from '../../protocol/colour.ts'
import type { Colour } from '../../protocol/colour-odds.ts'
import type { Usdt } from '../../protocol/money.ts'
import { amountText } from '../../ui/format.ts'
import { notify } from '../../ui/toast.tsx'
import { call, useCall } from '../shared/api/api.ts'
import { useOneAtATime } from '../shared/page/use-one-at-a-time.ts'
import { refreshGame } from './use-table.ts'

export type Wish = { amount: Usdt; color: Colour }

type Table = {
  isOpen: boolean
  /** What the bet wallet holds. */
  balance: Usdt
  onPlaced: (bet: Bet) => void
  /** Declares age and country, if that is still to do. False: no bet may be placed. */
  declare: () => Promise<boolean>
}

/** Places a bet at once, or, if money for it is on its way, once in the first open round after it has arrived. */
export function useBet({ isOpen, balance, onPlaced, declare }: Table) {
  const { mutateAsync, error, reset } = useCall(routes.placeBet)
  const { isBusy, run } = useOneAtATime()
  const [planned, setPlanned] = useState<Wish>()
  const place = useCallback(
    (wish: Wish) =>
      run(async () => {
        if (!(await declare())) return refreshGame()
        // The slip shows the error of the call, with the bet ready for another try.
        const placed = await mutateAsync(wish).catch(refreshGame)
        if (!placed) return
        onPlaced(placed.data)
        announce(wish)
      }),
    [run, mutateAsync, onPlaced, declare],
  )
  useEffect(() => {
    if (!planned || !isOpen || balance < planned.amount) return
    setPlanned(undefined)
    void place(planned)
  }, [planned, isOpen, balance, place])
  return { isBusy, error, reset, place, planned, plan: setPlanned, cancel: () => setPlanned(undefined) }
}

function announce({ amount, color }: Wish): void {
  notify.success(`${amountText(amount)} USDT on ${color}`)
  refreshGame()
  // If this call is lost, a server job pays the upline.
  call(routes.upline, { amount }).catch(() => {})
}
