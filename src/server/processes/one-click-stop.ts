import { routes } from '../../protocol/routes.ts'
import { stopEmail } from '../features/news/emails.ts'
import { type Db, transaction } from '../platform/db.ts'
import { decodeInput, type Http } from '../platform/http.ts'

const BODY_BYTES_MAX = 4_096

/**
 * The address in the header of our e-mails. Mail programs send a form to it when the user taps "Unsubscribe" (RFC 8058). The
 * body says nothing that we need, so it is not parsed. Other routes accept JSON only.
 */
export async function mountOneClickStop(http: Http, db: Db): Promise<void> {
  await http.register(async (own) => {
    own.removeAllContentTypeParsers()
    own.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX }, (_request, _body, parsed) =>
      parsed(null),
    )
    own.post('/api/news/stop/:key', { config: { limit: 'play' } }, async (request) => {
      const { key } = decodeInput(routes.news.unsubscribe.input, request.params)
      await transaction(db, (tx) => stopEmail(tx, { stopKey: key }))
      return { status: 'success', Msg: 'You get no more e-mails from us' }
    })
  })
}
