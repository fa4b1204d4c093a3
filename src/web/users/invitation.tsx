import { Copy, Share2 } from 'lucide-react'
import { brand } from '../../protocol/brand.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { notify } from '../../ui/toast.tsx'

/** The own referral code and the link that carries it. */
export function Invitation({ code }: { code: string }) {
  const link = `${location.origin}/referral/${code}`
  const copy = () =>
    navigator.clipboard.writeText(link).then(
      () => notify.success('Link copied to clipboard!'),
      () => notify.error('The browser did not allow copying. Select the link and copy it by hand.'),
    )
  const share = () => navigator.share({ title: `Join me on ${brand.name}`, url: link }).catch(() => undefined)
  return (
    <Card className="grid gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="text-xl">Your referral code</h2>
        <span className="figures font-display text-2xl text-leaf-ink tracking-[.08em]">{code}</span>
      </div>
      <p className="break-all rounded-control bg-sunken px-4 py-3 text-soft">{link}</p>
      <div className="flex flex-wrap gap-3">
        <Button variant="outline" icon={<Copy size={17} aria-hidden="true" />} onClick={copy}>
          Copy link
        </Button>
        {'share' in navigator && (
          <Button variant="quiet" icon={<Share2 size={17} aria-hidden="true" />} onClick={share}>
            Share
          </Button>
        )}
      </div>
    </Card>
  )
}
