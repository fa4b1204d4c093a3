import { Copy, Link2Off, Share2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type ShareWhat, shares, shareWords } from '../../../protocol/shares.ts'
import { Button } from '../../../ui/button.tsx'
import { copyText } from '../../../ui/copy.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { notify } from '../../../ui/toast.tsx'
import { type CallError, call } from '../api/api.ts'
import { SharedCard } from './shared-card.tsx'

type Link = { url: string; token: string; title: string }

/** Makes the public link to a card and shows it with the ways to send it, or to remove it again. */
export function ShareButton({
  what,
  children,
}: {
  what: ShareWhat
  children: (open: () => void, busy: boolean) => ReactNode
}) {
  const [link, setLink] = useState<Link>()
  const [busy, setBusy] = useState(false)
  const run = async (work: () => Promise<void>) => {
    setBusy(true)
    await work().catch((error: CallError) => notify.error(error.message))
    setBusy(false)
  }
  const open = () =>
    run(async () => {
      const { token, figures } = await call(shares.create, what)
      setLink({ token, url: `${location.origin}/s/${token}`, title: shareWords(figures).title })
    })
  const remove = ({ token }: Link) =>
    run(async () => {
      const { Msg } = await call(shares.remove, { token })
      setLink(undefined)
      notify.success(Msg)
    })
  return (
    <>
      {children(open, busy)}
      <Dialog open={link !== undefined} onClose={() => setLink(undefined)} title="Show it to a friend">
        {link && <Ways link={link} busy={busy} onRemove={() => remove(link)} />}
      </Dialog>
    </>
  )
}

function Ways({ link, busy, onRemove }: { link: Link; busy: boolean; onRemove: () => void }) {
  const { url, token, title } = link
  // The promise also rejects when the user closes the share sheet; that is not an error.
  const send = () => navigator.share({ title, url }).catch(() => undefined)
  return (
    <div className="grid gap-4">
      <SharedCard token={token} title={title} />
      <p className="text-sm">
        Everyone who has the link sees this card with your username, and no amounts of money. You can remove the link at
        any time.
      </p>
      <div className="grid gap-3">
        {'share' in navigator && (
          <Button icon={<Share2 size={18} aria-hidden="true" />} onClick={send}>
            Send
          </Button>
        )}
        <Button
          variant="outline"
          icon={<Copy size={18} aria-hidden="true" />}
          onClick={() => copyText(url, 'Link copied to clipboard!')}
        >
          Copy link
        </Button>
        <Button variant="quiet" busy={busy} icon={<Link2Off size={18} aria-hidden="true" />} onClick={onRemove}>
          Remove link
        </Button>
      </div>
    </div>
  )
}
