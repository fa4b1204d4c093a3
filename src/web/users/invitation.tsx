import { Card } from '../../ui/card.tsx'
import { InvitationButtons, invitationLink } from '../shared/page/invitation-link.tsx'

/** The user's referral code and invitation link. */
export function Invitation({ code }: { code: string }) {
  const link = invitationLink(code)
  return (
    <Card className="grid gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="text-xl">Your referral code</h2>
        <span className="figures font-display text-2xl text-leaf-ink tracking-[.08em]">{code}</span>
      </div>
      <p className="break-all rounded-control bg-sunken px-4 py-3 text-soft">{link}</p>
      <InvitationButtons link={link} variant="outline" />
    </Card>
  )
}
