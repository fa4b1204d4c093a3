import { Share2 } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { ShareButton } from '../shared/share/share-button.tsx'

/** The button that shares today's rings or the streak. */
export const ShareOwn = ({ kind, children }: { kind: 'rings' | 'streak'; children: string }) => (
  <ShareButton what={{ kind }}>
    {(open, busy) => (
      <Button
        variant="outline"
        size="s"
        className="justify-self-start"
        busy={busy}
        icon={<Share2 size={16} aria-hidden="true" />}
        onClick={open}
      >
        {children}
      </Button>
    )}
  </ShareButton>
)
