import { Copy, Share2 } from 'lucide-react'
import { brand } from '../../../protocol/brand.ts'
import { Button } from '../../../ui/button.tsx'
import { copyText } from '../../../ui/copy.ts'

export const invitationLink = (code: string) => `${location.origin}/referral/${code}`

/** Buttons that copy or share the user's invitation link. */
export function InvitationButtons({ link, variant }: { link: string; variant: 'lime' | 'outline' }) {
  // The promise also rejects when the user closes the share sheet; that is not an error.
  const share = () => navigator.share({ title: `Join me on ${brand.name}`, url: link }).catch(() => undefined)
  return (
    <div className="flex flex-wrap gap-3">
      <Button
        variant={variant}
        icon={<Copy size={17} aria-hidden="true" />}
        onClick={() => copyText(link, 'Link copied to clipboard!')}
      >
        Copy link
      </Button>
      {'share' in navigator && (
        <Button variant="quiet" icon={<Share2 size={17} aria-hidden="true" />} onClick={share}>
          Share
        </Button>
      )}
    </div>
  )
}
