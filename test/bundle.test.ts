import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { beforeAll, expect, it, vi } from 'vitest'

const FIRST_LOAD_BYTES_MAX = 110_000
const FONT_BYTES_MAX = 60_000
const PAGE_FILES_MAX = 25
/** Home's own code and all that is around it. The schema library alone would be 90 kB if all of it were loaded. */
const HOME_BYTES_MAX = 220_000

let files: Rolldown.RolldownOutput['output']
beforeAll(async () => {
  vi.stubEnv('NODE_ENV', 'production')
  const built = await build({ configFile: 'vite.config.ts', logLevel: 'error', build: { write: false } })
  files = (built as Rolldown.RolldownOutput).output
})

const chunks = () => files.filter((file) => file.type === 'chunk')

/** A chunk and all its static imports. */
function withImports(fileName: string, seen = new Set<string>()): Set<string> {
  if (seen.has(fileName)) return seen
  seen.add(fileName)
  for (const name of chunks().find((chunk) => chunk.fileName === fileName)?.imports ?? []) withImports(name, seen)
  return seen
}

function loadOf(...pages: string[]) {
  const names = new Set<string>()
  const isFirst = ({ isEntry, name }: Rolldown.OutputChunk) => isEntry || pages.includes(name)
  for (const chunk of chunks().filter(isFirst)) withImports(chunk.fileName, names)
  return chunks().filter(({ fileName }) => names.has(fileName))
}

const firstLoad = () => loadOf('landing-page', 'hero-illustration')

it('the landing page loads at most 110 kB of gzipped JavaScript', () => {
  const bytes = firstLoad().reduce((sum, { code }) => sum + gzipSync(code).length, 0)
  expect(firstLoad().map(({ name }) => name)).toContain('landing-page')
  console.log(`landing first load: ${bytes} bytes of gzipped JavaScript`)
  expect(bytes).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX)
})

it('the landing page loads neither schemas nor wallet code', () => {
  const modules = firstLoad().flatMap(({ moduleIds }) => moduleIds)
  expect(modules.some((id) => id.includes('node_modules/react-dom/'))).toBe(true)
  expect(modules.filter((id) => /node_modules\/(zod|viem|@tanstack)\//.test(id))).toEqual([])
})

it('a page loads in at most 25 files', () => {
  const pages = chunks().filter(({ name }) => name.endsWith('-page'))
  expect(pages.length).toBeGreaterThan(20)
  for (const { name } of pages)
    expect(loadOf('providers', 'layout', name).length, name).toBeLessThanOrEqual(PAGE_FILES_MAX)
})

it('Home loads at most 220 kB of gzipped JavaScript', () => {
  const bytes = loadOf('providers', 'layout', 'home-page').reduce((sum, { code }) => sum + gzipSync(code).length, 0)
  console.log(`Home: ${bytes} bytes of gzipped JavaScript`)
  expect(bytes).toBeLessThanOrEqual(HOME_BYTES_MAX)
})

it('Home shows a balance on chain without the library for wallets', () => {
  const modules = loadOf('providers', 'layout', 'home-page').flatMap(({ moduleIds }) => moduleIds)
  expect(modules.some((id) => id.endsWith('wallet/use-chain-balance.ts'))).toBe(true)
  expect(modules.filter((id) => /node_modules\/(viem|ox)\//.test(id))).toEqual([])
})

it('the library of WalletConnect is in no page, only in a chunk that its button loads', () => {
  const modulesOf = (loaded: Rolldown.OutputChunk[]) => loaded.flatMap(({ moduleIds }) => moduleIds)
  const isLibrary = (id: string) => id.includes('node_modules/@walletconnect/')
  const pages = loadOf('landing-page', 'hero-illustration', 'providers', 'register-page', 'layout', 'home-page')
  expect(pages.map(({ name }) => name)).toEqual(expect.arrayContaining(['register-page', 'providers', 'layout']))
  expect(modulesOf(pages).filter(isLibrary)).toEqual([])
  expect(modulesOf(chunks()).some(isLibrary)).toBe(true)
})

it('both font families together stay under 60 kB', () => {
  const fonts = files.filter(({ fileName }) => fileName.endsWith('.woff2'))
  const bytes = fonts.reduce((sum, font) => sum + (font.type === 'asset' ? font.source.length : 0), 0)
  expect(fonts).toHaveLength(2)
  expect(bytes).toBeLessThan(FONT_BYTES_MAX)
})

it('the page has no inline scripts, no style elements and no data URLs', () => {
  const page = files.find(({ fileName }) => fileName === 'index.html')
  const html = page?.type === 'asset' ? String(page.source) : ''
  expect(html).toContain('<!--og-->')
  expect(html).not.toMatch(/<style|<script(?![^>]*\bsrc=)|\son\w+=|data:/)
})
