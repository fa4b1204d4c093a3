import { type RoyaltyShare, rewards } from '../../protocol/rewards.ts'
import type { OutputOf } from '../../protocol/route.ts'
import { endOfDay } from '../../protocol/time.ts'
import { Button } from '../../ui/button.tsx'
import { celebrate } from '../../ui/celebration.ts'
import { dateText, moneyText, zonedText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { notify } from '../../ui/toast.tsx'
import { useCall } from '../shared/api/api.ts'
import { queries } from '../shared/api/queries.tsx'
import { monthText } from './month-text.ts'

type Royalty = OutputOf<typeof rewards.royaltySummary>

/** The share that can be claimed, or why there is none. */
export function RoyaltyClaim({ royalty, matureDays }: { royalty: Royalty; matureDays: number }) {
  const open = royalty.shares.filter(({ state }) => state === 'open')
  // The server pays the oldest first.
  const next = open.at(-1)
  return (
    <section aria-label="Your claim" className="grid content-start gap-2 rounded-inner bg-sunken p-4 sm:p-5">
      {next ? <OpenClaim share={next} more={open.length - 1} matureDays={matureDays} /> : <NoClaim royalty={royalty} />}
    </section>
  )
}

function OpenClaim({ share, more, matureDays }: { share: RoyaltyShare; more: number; matureDays: number }) {
  const claim = useCall(rewards.royalty)
  const send = () =>
    claim.mutate(
      { force_check: true },
      {
        onSuccess: ({ Msg }) => {
          celebrate()
          notify.success(Msg)
          void queries.invalidateQueries()
        },
      },
    )
  return (
    <>
      <h3 className="font-semibold">Your share of {monthText(share.month)}</h3>
      <p className="font-display text-3xl">
        <Money amount={share.amount} />
      </p>
      <p className="text-sm">Your rank was {share.rank} at the end of the month.</p>
      <Button className="mt-1" onClick={send} busy={claim.isPending}>
        Claim {moneyText(share.amount)} USDT
      </Button>
      {claim.error && (
        <p role="alert" className="text-coral-ink text-sm">
          {claim.error.message}
        </p>
      )}
      <p className="text-soft text-sm">
        Claim it before {zonedText(endOfDay(share.claimable_until))}. After that it goes back into the pool. You can
        reinvest it at once, and withdraw or transfer it {matureDays} days after you claim it.
        {more > 0 && ` You can claim ${more} more ${more === 1 ? 'month' : 'months'} after this one.`}
      </p>
    </>
  )
}

function NoClaim({ royalty: { last_month, last_closed, shares } }: { royalty: Royalty }) {
  const month = monthText(last_month)
  const share = shares.find((own) => own.month === last_month)
  if (share?.paid_at)
    return (
      <>
        <h3 className="font-semibold">Your share of {month}</h3>
        <p className="font-display text-3xl">
          <Money amount={share.amount} />
        </p>
        <p className="text-sm">Claimed on {dateText(share.paid_at)}. It is in your referral rewards.</p>
      </>
    )
  if (last_closed === null || last_closed < last_month)
    return (
      <Nothing title={`${month} is being closed`}>
        Your share is computed shortly after the month ends. Look again in a few minutes.
      </Nothing>
    )
  return (
    <Nothing title={`Nothing to claim for ${month}`}>
      {share ? 'The royalty pool was empty at the end of the month.' : 'You had no rank at the end of the month.'}
    </Nothing>
  )
}

const Nothing = ({ title, children }: { title: string; children: string }) => (
  <>
    <h3 className="font-semibold">{title}</h3>
    <p className="text-soft text-sm">{children}</p>
  </>
)
