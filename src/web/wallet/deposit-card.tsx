import { CircleCheck, Info } from 'lucide-react'
import { useState } from 'react'
import type { Address as ChainAddress } from '../../protocol/ids.ts'
import { formatUsdt } from '../../protocol/money.ts'
import { Address } from '../../ui/address.tsx'
import { AmountField } from '../../ui/amount-field.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Qr } from '../../ui/qr.tsx'
import { Ring } from '../../ui/ring.tsx'
import { readAmount } from '../shared/money/amounts.ts'
import { ExplorerLink } from '../shared/money/explorer-link.tsx'
import { FailedLine } from '../shared/page/failed-read.tsx'
import type { NetworkInfo } from '../shared/wallet/wallet.ts'
import { type DepositStage, useDeposit } from './use-deposit.ts'

type DepositCardProps = { info: NetworkInfo; address: ChainAddress; onChange: () => void }

/** Deposits USDT from the wallet on chain into the wallet balance. */
export function DepositCard({ info, address, onChange }: DepositCardProps) {
  const [text, setText] = useState('')
  const deposit = useDeposit(info, address, onChange)
  const amount = readAmount(text)
  const { stage } = deposit
  return (
    <Card className="grid content-start gap-5" aria-label="Deposit">
      <h2 className="text-xl">Deposit</h2>
      {stage.name === 'edit' || stage.name === 'sign' ? (
        <form
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (amount) void deposit.send(amount)
          }}
        >
          <AmountField
            label="Deposit amount"
            value={text}
            onChange={setText}
            hint="We add it to your wallet balance once it is final on chain"
            disabled={stage.name === 'sign'}
          />
          <Button type="submit" wide busy={stage.name === 'sign'} disabled={!amount}>
            {stage.name === 'sign' ? 'Confirm in your wallet' : 'Deposit'}
          </Button>
        </form>
      ) : (
        <Progress
          stage={stage}
          onAgain={() => {
            setText('')
            deposit.reset()
          }}
        />
      )}
      <FromElsewhere support={info.support} />
    </Card>
  )
}

type ProgressProps = { stage: Exclude<DepositStage, { name: 'edit' | 'sign' }>; onAgain: () => void }

function Progress({ stage, onAgain }: ProgressProps) {
  if (stage.name === 'done')
    return (
      <div className="grid justify-items-center gap-4 py-2 text-center" role="status">
        <span
          className={`grid size-16 place-items-center rounded-full ${stage.good ? 'bg-leaf-tint text-leaf-ink' : 'bg-gold-tint text-gold-ink'}`}
        >
          {stage.good ? <CircleCheck aria-hidden="true" /> : <Info aria-hidden="true" />}
        </span>
        <p>{stage.text}</p>
        <Button variant="quiet" onClick={onAgain}>
          Make another deposit
        </Button>
      </div>
    )
  const { confirmations, needed } = stage
  const label = confirmations === 0 ? 'Sent, waiting for a confirmation' : `${confirmations} of ${needed} confirmations`
  return (
    <div className="grid justify-items-center gap-4 py-2 text-center" aria-live="polite">
      <Ring value={(0.5 + confirmations) / (needed + 0.5)} size={96} label={label}>
        <span className="figures font-semibold">
          {confirmations}/{needed || '–'}
        </span>
      </Ring>
      <div className="grid gap-1">
        <p className="font-semibold">{formatUsdt(stage.amount)} USDT is on its way</p>
        {stage.problem && <FailedLine error={{ message: stage.problem, detail: undefined }} />}
        <p className="text-soft text-sm">{label}. You can close this page; the deposit will still arrive.</p>
      </div>
      <ExplorerLink hash={stage.hash} />
    </div>
  )
}

/** For deposits sent outside this page. The text warns that only the registered wallet is recognised. */
function FromElsewhere({ support }: { support: string }) {
  return (
    <details className="group border-line border-t pt-4">
      <summary className="cursor-pointer font-semibold text-primary text-sm">Send it yourself instead</summary>
      <div className="mt-4 grid justify-items-center gap-4">
        <p className="text-soft text-sm">
          Send USDT on this network to this address, from the wallet you signed in with. If you use any other wallet, we
          can't tell that the deposit is yours.
        </p>
        <Qr text={support} label="QR code of the deposit address" size={140} />
        <Address address={support} full />
      </div>
    </details>
  )
}
