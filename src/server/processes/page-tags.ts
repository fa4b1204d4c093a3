import { brand } from '../../protocol/brand.ts'
import { networkText } from '../../protocol/networks.ts'
import { referralCode } from '../../protocol/users.ts'
import type { Context } from '../context.ts'
import { getSponsor } from '../features/users/users.ts'

/** Open Graph tags for link previews, where a referral link names its sponsor, and the network for the page to show. */
export async function pageTags({ db, config }: Context, path: string): Promise<string> {
  const code = referralCode.safeParse(/^\/referral\/([^/]+)\/?$/.exec(path)?.[1]).data
  const sponsor = code ? await getSponsor(db, code).catch(() => undefined) : undefined
  const title = sponsor ? `${sponsor.username} invites you to ${brand.name}` : `${brand.name} — ${brand.tagline}`
  const origin = config.publicUrls[0] ?? ''
  const preview = [
    ['og:title', title],
    ['og:description', brand.description],
    ['og:type', 'website'],
    // Not new URL(path, origin): a path such as //evil.example would replace our host.
    ['og:url', Object.assign(new URL(origin), { pathname: path }).href],
    ['og:image', new URL('/og.png', origin).href],
  ]
    .map(([property, content]) => `<meta property="${property}" content="${escapeAttribute(content ?? '')}">`)
    .join('')
  return `${preview}<meta name="network" content="${escapeAttribute(networkText(config.network))}">`
}

const escapeAttribute = (text: string) => text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`)
