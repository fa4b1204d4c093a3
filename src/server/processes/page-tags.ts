import { brand } from '../../protocol/brand.ts'
import { networkText } from '../../protocol/networks.ts'
import { shareToken, shareWords } from '../../protocol/shares.ts'
import { referralCode } from '../../protocol/users.ts'
import type { Context } from '../context.ts'
import { getShare } from '../features/shares/shares.ts'
import { getSponsor } from '../features/users/users.ts'

import type { Db } from '../platform/db.ts'

/** Open Graph tags for link previews, where a referral link names its sponsor, and the network for the page to show. */
export async function pageTags({ db, config }: Context, path: string): Promise<string> {
  const code = referralCode.safeParse(/^\/referral\/([^/]+)\/?$/.exec(path)?.[1]).data
  const sponsor = code ? await getSponsor(db, code).catch(() => undefined) : undefined
  const shared = await findShared(db, path)
  const title = shared
    ? `${shared.username}: ${shared.title}`
    : sponsor
      ? `${sponsor.username} invites you to ${brand.name}`
      : `${brand.name} — ${brand.tagline}`
  const origin = config.publicUrls[0] ?? ''
  const preview = [
    ['og:title', title],
    ['og:description', shared?.text ?? brand.description],
    ['og:type', 'website'],
    // Not new URL(path, origin): a path such as //evil.example would replace our host.
    ['og:url', Object.assign(new URL(origin), { pathname: path }).href],
    ['og:image', new URL(shared?.image ?? '/og.png', origin).href],
  ]
    .map(([property, content]) => `<meta property="${property}" content="${escapeAttribute(content ?? '')}">`)
    .join('')
  // A link that only its receivers know stays out of search engines.
  const privacy = shared
    ? '<meta name="twitter:card" content="summary_large_image"><meta name="robots" content="noindex">'
    : ''
  return `${preview}${privacy}<meta name="network" content="${escapeAttribute(networkText(config.network))}">`
}

/** The card of a shared link, /s/<token>. */
async function findShared(db: Db, path: string) {
  const token = shareToken.safeParse(/^\/s\/([^/]+)\/?$/.exec(path)?.[1]).data
  const found = token ? await getShare(db, token).catch(() => undefined) : undefined
  return found && { ...shareWords(found.figures), username: found.username, image: `/api/share/${token}/card.png` }
}

const escapeAttribute = (text: string) => text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`)
