import { ArrowDownToLine, ArrowLeftRight, BanknoteArrowUp, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { WithdrawSheet } from '../withdraw/withdraw-sheet.tsx'
import { AddMoneySheet } from './add-money-sheet.tsx'
import { Deposits, useDeposits } from './deposits.tsx'
import { MoveSheet } from './move-sheet.tsx'

type Sheet = 'add' | 'move' | 'withdraw'
const actions: { sheet: Sheet; label: string; icon: LucideIcon }[] = [
  { sheet: 'add', label: 'Add money', icon: ArrowDownToLine },
  { sheet: 'move', label: 'Move', icon: ArrowLeftRight },
  { sheet: 'withdraw', label: 'Withdraw', icon: BanknoteArrowUp },
]

/** Add, move, withdraw: each opens its sheet. Deposits on their way are shown below the buttons. */
export function MoneyActions({ onChange }: { onChange: () => void }) {
  const [open, setOpen] = useState<Sheet>()
  const [toBalance, toBet] = [useDeposits('wallet'), useDeposits('bet')]
  const close = () => setOpen(undefined)
  return (
    <div className="grid gap-3">
      <div className="grid grid-cols-3 gap-2 sm:gap-3">
        {actions.map(({ sheet, label, icon: Icon }) => (
          <Button
            key={sheet}
            variant={sheet === 'add' ? 'lime' : 'outline'}
            className="h-auto! flex-col py-3 text-sm!"
            icon={<Icon size={20} aria-hidden="true" />}
            onClick={() => setOpen(sheet)}
          >
            {label}
          </Button>
        ))}
      </div>
      <Deposits to="wallet" deposits={toBalance} onDone={onChange} />
      <Deposits to="bet" deposits={toBet} onDone={onChange} />
      <AddMoneySheet to="wallet" open={open === 'add'} onClose={close} onSent={toBalance.add} />
      <MoveSheet open={open === 'move'} onClose={close} onMoved={onChange} />
      <WithdrawSheet open={open === 'withdraw'} onClose={close} />
    </div>
  )
}
