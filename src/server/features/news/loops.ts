import type { Context } from '../../context.ts'
import { MINUTE_MS } from '../../platform/jobs.ts'
import type { Loop } from '../../platform/loops.ts'
import { deliverDue } from './deliver.ts'
import { createMailer } from './mail.ts'
import { planNews } from './plan.ts'
import { createPushSender } from './push.ts'
import { sendCodes } from './send-codes.ts'
import { createTelegramReader, createTelegramSender } from './telegram.ts'
import { tellOfTerms } from './terms.ts'

const REST_MS = 500
const READ_REST_MS = 2_000

/** One loop per channel: a provider that hangs delays only its own messages. */
export function newsLoops(context: Context): Loop[] {
  const { push, mail, telegram, publicUrls } = context.config
  const loops: Loop[] = [
    { name: 'plan-news', restMs: REST_MS, run: () => planNews(context) },
    { name: 'tell-of-terms', restMs: MINUTE_MS, run: () => tellOfTerms(context) },
  ]
  if (push) {
    const send = createPushSender(push)
    loops.push({ name: 'push-news', restMs: REST_MS, run: () => deliverDue(context, 'push', send) })
  }
  if (mail) {
    const mailer = createMailer(mail, publicUrls[0] ?? '')
    loops.push(
      { name: 'mail-news', restMs: REST_MS, run: () => deliverDue(context, 'email', mailer.sendNews) },
      { name: 'mail-codes', restMs: REST_MS, run: () => sendCodes(context, mailer) },
    )
  }
  if (telegram) {
    const send = createTelegramSender(telegram, publicUrls[0] ?? '')
    const read = createTelegramReader(context, telegram)
    loops.push(
      { name: 'telegram-news', restMs: REST_MS, run: () => deliverDue(context, 'telegram', send) },
      { name: 'read-telegram', restMs: READ_REST_MS, run: read },
    )
  }
  return loops
}
