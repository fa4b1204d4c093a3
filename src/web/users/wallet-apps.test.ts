import { expect, it } from 'vitest'
import { joinPage, walletApps } from './wallet-apps.ts'

const ORIGIN = 'https://wellplay.example.com'
const PAGE = `${ORIGIN}/referral/AB12CD34`

const linksTo = (page: string) => Object.fromEntries(walletApps.map(({ name, open }) => [name, open(page)]))

it('each wallet gets its documented link', () => {
  expect(linksTo(PAGE)).toEqual({
    MetaMask: 'https://link.metamask.io/dapp/wellplay.example.com/referral/AB12CD34',
    'Trust Wallet':
      'https://link.trustwallet.com/open_url?coin_id=20000714&url=https%3A%2F%2Fwellplay.example.com%2Freferral%2FAB12CD34',
    'OKX Wallet':
      'https://web3.okx.com/download?deeplink=okx%3A%2F%2Fwallet%2Fdapp%2Furl%3FdappUrl%3Dhttps%253A%252F%252Fwellplay.example.com%252Freferral%252FAB12CD34',
  })
})

/** What each wallet opens, read from its link in the way that its documentation describes. */
const readers: Record<string, (link: URL) => string | null> = {
  MetaMask: ({ pathname, search, hash }) => `https://${pathname.replace('/dapp/', '')}${search}${hash}`,
  'Trust Wallet': ({ searchParams }) => searchParams.get('url'),
  'OKX Wallet': ({ searchParams }) => new URL(searchParams.get('deeplink') ?? '').searchParams.get('dappUrl'),
}
const hosts = { MetaMask: 'link.metamask.io', 'Trust Wallet': 'link.trustwallet.com', 'OKX Wallet': 'web3.okx.com' }

const opened = (code: string | undefined) =>
  Object.entries(linksTo(joinPage(ORIGIN, code))).map(([name, link]) => {
    const url = new URL(link)
    expect(url.host).toBe(hosts[name as keyof typeof hosts])
    return readers[name]?.(url)
  })

it.each([
  ['AB12CD34', '/referral/AB12CD34'],
  ['ab12cd34', '/referral/AB12CD34'],
  [undefined, '/login/register'],
  ['', '/login/register'],
])('with the code %s every wallet opens %s', (code, path) => {
  expect(opened(code)).toEqual(walletApps.map(() => ORIGIN + path))
})

it.each([
  ['markup', '"><script>alert(1)</script>'],
  ['another host', '//evil.example'],
  ['an encoded host', '%2F%2Fevil.example'],
  ['a parent folder', '../../evil'],
  ['two dots', '..'],
  ['a query', 'AB12CD3?url=https://evil.example'],
  ['a fragment', 'AB12CD3#@evil.example'],
  ['a user name', '@evil.example'],
  ['a backslash', '\\\\evil.example'],
  ['another parameter', 'AB12CD34&url=https://evil.example'],
  ['a line break', 'AB12CD34\nevil'],
  ['a script', 'javascript:alert(1)'],
  ['a very long text', 'A'.repeat(100_000)],
])('a code that is %s does not get into the link', (_name, code) => {
  expect(opened(code)).toEqual(walletApps.map(() => `${ORIGIN}/login/register`))
})
