import { useState } from 'react'
import type { Usdt } from '../../protocol/money.ts'
import { Button } from '../../ui/button.tsx'
import { amountText } from '../../ui/format.ts'
import { AddMoneySheet } from '../shared/money/add-money-sheet.tsx'
import { Deposits, useDeposits } from '../shared/money/deposits.tsx'

type AddMissingProps = { missing: Usdt | undefined; onDone: () => void }

/** Where a transfer lacks money: the sheet that brings it, with the amount filled in. The form keeps its values. */
export function AddMissing({ missing, onDone }: AddMissingProps) {
  const [open, setOpen] = useState(false)
  const deposits = useDeposits('wallet')
  return (
    <>
      {missing !== undefined && (
        <Button variant="outline" onClick={() => setOpen(true)}>
          Add the missing {amountText(missing)} USDT
        </Button>
      )}
      <Deposits to="wallet" deposits={deposits} onDone={onDone} />
      <AddMoneySheet
        to="wallet"
        open={open}
        {...(missing !== undefined && { missing })}
        onClose={() => setOpen(false)}
        onSent={deposits.add}
      />
    </>
  )
}
