import { MailX } from 'lucide-react'
import { useParams } from 'react-router'
import { news } from '../../protocol/news.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useCall } from '../shared/api/api.ts'
import { PublicHeader } from '../shared/page/public-header.tsx'
import { SiteFooter } from '../shared/page/site-footer.tsx'

/** Where the link in an e-mail leads. It acts only on a tap, because mail programs open links to check them. */
export function UnsubscribePage() {
  const { key = '' } = useParams()
  const stop = useCall(news.unsubscribe)
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-6 px-4 py-4 sm:px-6">
      <PublicHeader />
      <main tabIndex={-1}>
        <Card padding="l" className="grid justify-items-start gap-4">
          <MailX size={32} className="text-soft" aria-hidden="true" />
          <h1 className="text-3xl">{stop.isSuccess ? 'E-mails are stopped' : 'Stop e-mails?'}</h1>
          <p className="text-soft" role="status">
            {stop.isSuccess
              ? 'We deleted the address. You can add it again on your profile.'
              : 'You’ll still find all news in the app.'}
          </p>
          {stop.isError && (
            <p role="alert" className="text-coral-ink">
              {stop.error.message}
            </p>
          )}
          {!stop.isSuccess && (
            <Button busy={stop.isPending} onClick={() => stop.mutate({ key })}>
              Stop e-mails
            </Button>
          )}
        </Card>
      </main>
      <SiteFooter />
    </div>
  )
}
