import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { testConfig, testSettings } from '../testing/api.ts'
import { publishedKeys } from '../testing/published-keys.ts'
import { readConfig } from './config.ts'

const PUBLIC = { bsc: '56', 'bsc-testnet': '97' }
const mistakesOf = (settings: Record<string, string>) => {
  try {
    readConfig({ ...testSettings('postgres://127.0.0.1/wellplay'), ...settings })
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

test('a forgotten NETWORK does not make a public chain a development network with real bets', () => {
  expect(mistakesOf({ CHAIN_ID: '56' })).toContain('56 is not a development chain. Set NETWORK=bsc')
  expect(mistakesOf({ CHAIN_ID: '97' })).toContain('97 is not a development chain. Set NETWORK=bsc-testnet')
  expect(mistakesOf({ CHAIN_ID: '31337' })).toBe('')
})

test.each([
  ['bsc', '97', 'NETWORK=bsc needs CHAIN_ID=56, not 97'],
  ['bsc', '31337', 'NETWORK=bsc needs CHAIN_ID=56, not 31337'],
  ['bsc-testnet', '56', 'NETWORK=bsc-testnet needs CHAIN_ID=97, not 56'],
])('NETWORK=%s with CHAIN_ID=%s is refused', (NETWORK, CHAIN_ID, sentence) => {
  expect(mistakesOf({ NETWORK, CHAIN_ID })).toContain(sentence)
})

test.each(Object.entries(PUBLIC))(
  '%s refuses private keys that everyone knows, and accepts a random one',
  (NETWORK, CHAIN_ID) => {
    const published = publishedKeys()
    const small = Array.from({ length: 255 }, (_, index) => `0x${(index + 1).toString(16).padStart(64, '0')}`)
    const typed = [
      `0x${'1'.repeat(64)}`,
      `0x${'DEADBEEF'.repeat(8)}`,
      published[0]?.toUpperCase().replace('0X', '0x') ?? '',
    ]
    for (const key of [...published, ...small, ...typed])
      for (const name of ['HOT_WALLET_KEY', 'PUBLISHER_KEY', 'RECEIPT_KEY'])
        expect(mistakesOf({ NETWORK, CHAIN_ID, [name]: key })).toContain(`${name}: everyone knows this private key`)
    for (let round = 0; round < 200; round++)
      expect(mistakesOf({ NETWORK, CHAIN_ID, HOT_WALLET_KEY: `0x${randomBytes(32).toString('hex')}` })).toBe('')
  },
)

test('an error about a key does not print the key', () => {
  const key = `0x${'1'.repeat(64)}`
  expect(mistakesOf({ NETWORK: 'bsc', CHAIN_ID: '56', HOT_WALLET_KEY: key })).not.toContain(key)
})

test('real-money bets are off on a public network unless they are turned on by name', () => {
  const settings = { ...testSettings('postgres://127.0.0.1/wellplay'), NETWORK: 'bsc', CHAIN_ID: '56' }
  expect(readConfig(settings).colourRealMoney).toBe(false)
  expect(readConfig({ ...settings, COLOUR_REAL_MONEY: 'on' }).colourRealMoney).toBe(true)
})

test('mirrors are web addresses, because the trust page links to them', () => {
  const settings = testSettings('postgres://127.0.0.1/wellplay')
  const MIRRORS = 'https://a.example.org, http://b.example.org/trees'
  expect(readConfig({ ...settings, MIRRORS }).mirrors).toEqual(['https://a.example.org', 'http://b.example.org/trees'])
  expect(readConfig(settings).mirrors).toEqual([])
  for (const wrong of ['javascript:alert(1)', 'a.example.org', 'https://a.example.org,'])
    expect(mistakesOf({ MIRRORS: wrong }), wrong).toContain('MIRRORS')
})

test('the rules for bets and purchases are a plausible age, real countries and the name of a header', () => {
  const settings = testSettings('postgres://127.0.0.1/wellplay')
  expect(readConfig(settings)).toMatchObject({ minimumAge: undefined, blockedCountries: [], countryHeader: undefined })
  const given = { MINIMUM_AGE: '21', BLOCKED_COUNTRIES: 'US, KP', COUNTRY_HEADER: 'CF-IPCountry' }
  const read = { minimumAge: 21, blockedCountries: ['US', 'KP'], countryHeader: 'cf-ipcountry' }
  expect(readConfig({ ...settings, ...given })).toMatchObject(read)
  for (const wrong of ['12', '0', '18.5', 'adult', '100'])
    expect(mistakesOf({ MINIMUM_AGE: wrong })).toContain('MINIMUM_AGE')
  for (const wrong of ['usa', 'us', 'XX', 'US,', 'US KP'])
    expect(mistakesOf({ BLOCKED_COUNTRIES: wrong }), wrong).toContain('BLOCKED_COUNTRIES')
  expect(mistakesOf({ COUNTRY_HEADER: 'no header' })).toContain('COUNTRY_HEADER')
})

test('a project id of WalletConnect has 32 hex digits, because it becomes part of an address', () => {
  const settings = testSettings('postgres://127.0.0.1/wellplay')
  const WALLETCONNECT_PROJECT_ID = '0123456789abcdef'.repeat(2)
  expect(readConfig({ ...settings, WALLETCONNECT_PROJECT_ID }).walletConnectProjectId).toBe(WALLETCONNECT_PROJECT_ID)
  expect(readConfig(settings).walletConnectProjectId).toBeUndefined()
  for (const wrong of ['0123', `${WALLETCONNECT_PROJECT_ID}&x=1`, WALLETCONNECT_PROJECT_ID.toUpperCase()])
    expect(mistakesOf({ WALLETCONNECT_PROJECT_ID: wrong }), wrong).toContain('WALLETCONNECT_PROJECT_ID')
})

test('the contact of push messages is never an http address, which push services refuse', () => {
  const contactOf = (settings: Record<string, string>) =>
    testConfig('postgres://127.0.0.1/wellplay', { PUSH_PUBLIC_KEY: 'B'.repeat(87), ...settings }).push?.contact
  expect(contactOf({ PUBLIC_URL: 'http://localhost:3000' })).toBe('mailto:operator@localhost')
  expect(contactOf({ PUBLIC_URL: 'http://localhost:3000,https://play.example' })).toBe('https://play.example')
  expect(contactOf({ PUSH_CONTACT: 'mailto:op@play.example' })).toBe('mailto:op@play.example')
})

test('a signer on another machine is reached only with TLS outside the development network', () => {
  const network = { NETWORK: 'bsc', CHAIN_ID: '56' }
  expect(mistakesOf({ ...network, SIGNER_URL: 'http://10.0.0.9:9000' })).toContain('SIGNER_URL: use https')
  for (const SIGNER_URL of ['https://signer.example.com', 'http://127.0.0.1:9000', 'http://[::1]:9000'])
    expect(mistakesOf({ ...network, SIGNER_URL })).toBe('')
})
