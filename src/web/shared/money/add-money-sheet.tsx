import { lazy, Suspense, useState } from 'react'
import type { Details } from '../../../protocol/balance.ts'
import { colour } from '../../../protocol/colour.ts'
import { formatUsdt, type Usdt, ZERO } from '../../../protocol/money.ts'
import { AmountField } from '../../../ui/amount-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { amountText, withLocalTimes } from '../../../ui/format.ts'
import { Segmented } from '../../../ui/segmented.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { notify } from '../../../ui/toast.tsx'
import { CallError, call, useRead } from '../api/api.ts'
import { FailedLine } from '../page/failed-read.tsx'
import { useOneAtATime } from '../page/use-one-at-a-time.ts'
import type { Payment } from '../payments/kept-payments.ts'
import { usdtOf } from '../wallet/chain-usdt.ts'
import { notifyWalletProblem } from '../wallet/errors.ts'
import { openWallet } from '../wallet/open.ts'
import { useChainBalance } from '../wallet/use-chain-balance.ts'
import type { Target } from './deposits.tsx'
import { useDetails } from './details.ts'
import { useMoveAmount } from './use-move-amount.ts'

type AddMoneySheetProps = {
  to: Target
  open: boolean
  /** What is missing for the action the user came from. It fills the field. */
  missing?: Usdt
  /** What happens with the money at once, for the button: "and bet". */
  followUp?: string
  onClose: () => void
  /** A payment on chain was sent. It arrives once it is final. */
  onSent: (payment: Payment) => void
  /** Money from the balance has arrived. */
  onMoved?: (amount: Usdt) => void
}

// It contains the code of the contract, from which the browser computes the address.
const FromElsewhere = lazy(async () => ({ default: (await import('./from-elsewhere.tsx')).FromElsewhere }))

/** The one way to add money: from the wallet on chain, from the balance, or from an exchange or another wallet. */
export function AddMoneySheet({ open, ...rest }: AddMoneySheetProps) {
  const { details, error } = useDetails()
  const { isBusy, run } = useOneAtATime()
  return (
    <Dialog open={open} onClose={rest.onClose} title={titles[rest.to]} locked={isBusy}>
      {details ? (
        <AddMoneyForm details={details} isBusy={isBusy} run={run} {...rest} />
      ) : error ? (
        <FailedLine error={error} />
      ) : (
        <Skeleton className="h-60" />
      )}
    </Dialog>
  )
}

const titles: Record<Target, string> = { wallet: 'Add money', bet: 'Add money to play' }

type Source = 'chain' | 'balance' | 'elsewhere'
const chain = { value: 'chain', label: 'My wallet' } as const
const balance = { value: 'balance', label: 'My balance' } as const
const elsewhere = { value: 'elsewhere', label: 'Exchange' } as const
const sourcesFor: Record<Target, readonly { value: Source; label: string }[]> = {
  wallet: [chain, elsewhere],
  bet: [chain, balance, elsewhere],
}

type AddMoneyFormProps = Omit<AddMoneySheetProps, 'open'> & {
  details: Details
  isBusy: boolean
  run: (work: () => Promise<void>) => Promise<void>
}

function AddMoneyForm(props: AddMoneyFormProps) {
  const { to, details, missing = ZERO, followUp = '', isBusy } = props
  const canMove = to === 'bet' && details.wallet > ZERO && details.wallet >= missing
  const [source, setSource] = useState<Source>(canMove ? 'balance' : 'chain')
  const form = useAddMoney(props, source)
  const isEnough = followUp !== '' && form.amount !== undefined && form.amount >= missing
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        form.submit()
      }}
    >
      <Segmented label="From" options={sourcesFor[to]} value={source} onChange={setSource} />
      {source === 'elsewhere' ? (
        <Suspense fallback={<Skeleton className="h-96" />}>
          <FromElsewhere to={to} />
        </Suspense>
      ) : (
        <>
          <AmountField
            label={source === 'chain' ? 'From your wallet on chain' : 'From your wallet balance'}
            value={form.text}
            onChange={form.change}
            {...(form.held !== undefined && {
              max: form.held,
              hint: `You have ${amountText(form.held)} USDT there.${source === 'chain' ? ' You sign it in your wallet.' : ''}`,
            })}
            error={form.error}
            disabled={isBusy}
          />
          <Button type="submit" size="l" wide busy={isBusy} disabled={!form.amount}>
            {isBusy ? waitingTexts[source] : actionText(form.amount, isEnough ? followUp : '')}
          </Button>
          {isEnough && (
            <p className="text-sm">
              When the money is there, your bet goes into the open round, or into the next one. You can cancel it until
              then.
            </p>
          )}
        </>
      )}
    </form>
  )
}

const waitingTexts = { chain: 'Confirm in your wallet', balance: 'Moving' }

const actionText = (amount: Usdt | undefined, followUp: string): string =>
  amount ? `Add ${amountText(amount)} USDT ${followUp}`.trim() : 'Add'

/** The fields of the sheet. `amount` is undefined while it cannot be added. */
function useAddMoney(props: AddMoneyFormProps, source: Source) {
  const { to, details, missing = ZERO, run, onSent, onMoved, onClose } = props
  const onChain = useChainBalance('usdt', details.wallet_address).data
  const game = useRead(colour.activeGame, {}, { enabled: to === 'bet' })
  // The server refuses a deposit while the game is closed to this user. By then the USDT would have left the wallet.
  const reason = game.data?.data.closed_because
  const closed = to === 'bet' ? (reason ? withLocalTimes(reason) : game.error?.message) : undefined
  const isReady = to === 'wallet' || game.data !== undefined
  const held = source === 'balance' ? details.wallet : onChain ? usdtOf(onChain) : undefined
  const { setAnswer, ...field } = useMoveAmount(held, missing > ZERO ? formatUsdt(missing) : '')
  const amount = closed || !isReady ? undefined : field.amount

  const fromChain = async (usdt_amount: Usdt) => {
    const { signer, info } = await openWallet(details.wallet_address)
    onSent({ trans_hash: await signer.sendUsdt(info.support, usdt_amount), usdt_amount })
    onClose()
  }
  const fromBalance = async (moved: Usdt) => {
    const { Msg } = await call(colour.wallet, { direction: 'deposit', amount: moved, source: 'wallet' })
    notify.success(Msg)
    onMoved?.(moved)
    onClose()
  }
  const submit = () =>
    amount &&
    run(() =>
      (source === 'chain' ? fromChain(amount) : fromBalance(amount)).catch((error) => {
        if (error instanceof CallError) setAnswer(error.message)
        else notifyWalletProblem(error, 'You declined in your wallet. Nothing was sent.')
      }),
    )
  return { ...field, held, amount, submit, error: closed ?? field.error }
}
