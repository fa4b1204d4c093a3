import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown, runnerImport } from 'vite'
import { buildOfflinePage, OFFLINE_PAGES } from './scripts/offline-pages.ts'
import type { FirstPaints } from './src/server/platform/web.ts'

const root = import.meta.dirname
const api = process.env.API_URL ?? 'http://localhost:3000'

export default defineConfig({
  root: join(root, 'src/web'),
  cacheDir: join(root, '.cache/vite'),
  plugins: [react(), tailwind(), serviceWorker(), paintFirst(), firstPaint(), offlinePages(), precompress()],
  build: {
    outDir: join(root, 'dist/web'),
    emptyOutDir: true,
    target: 'es2024',
    // The design tokens use light-dark(), which browsers support since spring 2024. A lower target would rewrite it.
    cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
    // The content security policy allows no data: fonts or scripts, so nothing is inlined.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups() } } },
  },
  server: { port: 5173, proxy: { '/api/': api }, fs: { allow: [root] } },
  preview: { proxy: { '/api/': api } },
})

/**
 * One chunk for the first load, and a few for code that pages share. By default, a page would load up to 75 files. The
 * other extreme, one chunk for all schemas, would make every page build all of them.
 */
function chunkGroups(): Rolldown.CodeSplittingGroup[] {
  const runtime = 'node_modules/(react|react-dom|scheduler|react-router|lucide-react/dist/esm/(?!icons))'
  const shared =
    'src/(ui/(button|format|logo|media|ring|skeleton|states|theme|tone)|protocol/(brand|colour-odds|figures|short-address|texts)|web/shared/(check/(opened-check|report|seal)|wallet/chosen-entry))\\.'
  const icons =
    'icons/(apple|brain|cloud-off|dumbbell|flame|footprints|heart-pulse|leaf|menu|moon|sparkles|target|trophy|wallet|wind|x)\\.'
  const basics = 'src/protocol/(history|ids|money|route|time)\\.'
  const plans = 'src/protocol/(plans|terms|top-up)\\.'
  const books = 'src/protocol/(balance|trust|wallet)\\.'
  const draw = 'protocol/(colour|colour-bets|colour-check|colour-draw|colour-limits)\\.'
  const calls = `node_modules/(@tanstack|dpop)|src/(${draw}|web/shared/api/|verifier/(bytes|keccak))`
  const people = 'src/protocol/(rewards|users|wallet-changes|wallet-signature|wellness[^.]*)\\.'
  const frame =
    'src/(protocol/news|web/(trust/kept-proof|wellness/(use-today|use-device-zone|zone-words)|news/bell|shared/(avatar/|money/(accounts|total)|wallet/(discovery|pairing|session-wallet|switching))))'
  return [
    // Imports no other chunk, because the document loads it before all others.
    { name: 'first', test: /src\/web\/(app\/first-script|home\/greeting|shared\/api\/stored-user)\./ },
    { name: 'base', test: new RegExp(`${runtime}|${shared}|${icons}`) },
    { name: 'schemas', test: /node_modules\/zod\/|web\/shared\/api\/no-eval/ },
    { name: 'entry', tags: ['$initial'] },
    { name: 'parts', test: /src\/ui\/(?!chart|qr)/, minShareCount: 2 },
    { name: 'icons', test: /node_modules\/lucide-react\//, minShareCount: 2 },
    // What calls need: "Check us" on the landing page, and all other pages. In several parts, because building the schemas
    // is the longest task of a page.
    { name: 'basics', test: new RegExp(basics), minShareCount: 2 },
    { name: 'plans', test: new RegExp(plans), minShareCount: 2 },
    { name: 'books', test: new RegExp(books), minShareCount: 2 },
    { name: 'core', test: new RegExp(calls), minShareCount: 2 },
    { name: 'people', test: new RegExp(people), minShareCount: 2 },
    { name: 'app', test: /src\/(protocol|verifier|web)\//, minShareCount: 6 },
    // What is around every page of the user area.
    { name: 'frame', test: new RegExp(frame), minShareCount: 2 },
    {
      name: 'money',
      test: /src\/web\/shared\/(money(?!\/(accounts|money-chart|total))|payments|history|declare)\//,
      minShareCount: 2,
    },
    { name: 'draws', test: /src\/web\/(shared\/draws|shared\/check)\//, minShareCount: 2 },
    { name: 'table', test: /src\/web\/colour\//, minShareCount: 2 },
  ]
}

/** Writes /sw.js with this build's file names. A new build makes a new service worker, and the app offers to update. */
function serviceWorker(): Plugin {
  return {
    name: 'wellplay-service-worker',
    apply: 'build',
    generateBundle(_, bundle) {
      const files = Object.keys(bundle)
        .filter((name) => name.startsWith('assets/'))
        .map((name) => `/${name}`)
      const version = createHash('sha256').update(files.join()).digest('hex').slice(0, 12)
      const template = readFileSync(join(root, 'src/web/service-worker.js'), 'utf8')
      const source = template.replace('__VERSION__', version).replace('__FILES__', JSON.stringify(files))
      this.emitFile({ type: 'asset', fileName: 'sw.js', source })
    },
  }
}

/**
 * Writes the HTML that the server adds to documents: what is shown while the app loads, and preload links for the code.
 * The pages that people open first have their own, all others have the code that every page of their kind needs.
 */
function firstPaint(): Plugin {
  return {
    name: 'wellplay-first-paint',
    apply: 'build',
    async generateBundle(_, bundle) {
      const path = join(root, 'src/web/app/first-paint.tsx')
      const { module } = await runnerImport<typeof import('./src/web/app/first-paint.tsx')>(path)
      const loading = (...names: string[]) => ({ code: preloadLinks(bundle, names), body: module.loading() })
      const user = (...names: string[]) => ({
        code: preloadLinks(bundle, ['providers', 'layout', ...names]),
        body: module.user(),
      })
      const paints: FirstPaints = {
        '/': { code: preloadLinks(bundle, ['landing-page']), body: module.landing() },
        '/trust': { code: preloadLinks(bundle, ['providers', 'trust-page']), body: module.trust() },
        '/login/register': loading('providers', 'register-page'),
        '/referral/*': loading('providers', 'register-page'),
        '/user/home': user('home-page'),
        '/user/color-game': { ...user('colour-page'), body: module.colourGame() },
        '/user/*': user(),
        '/*': loading('providers'),
      }
      this.emitFile({ type: 'asset', fileName: 'first-paint.json', source: JSON.stringify(paints) })
    },
  }
}

/**
 * Code is fetched after the first paint, which needs the style, fonts and the first script. On a slow line it would
 * otherwise compete with them, and on a fast one with the painting. So it waits in a template for the first script.
 */
function paintFirst(): Plugin {
  return {
    name: 'wellplay-paint-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        const first = Object.values(bundle).find(({ name }) => name === 'first')
        if (first?.type !== 'chunk' || first.imports.length > 0)
          throw new Error('The first script is not a chunk of its own')
        const [style] = /<link rel="stylesheet"[^>]*>/.exec(html) ?? []
        const code = html.match(/<script type="module"[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g) ?? []
        if (!style || code.length < 2) throw new Error('The document does not load the style and the code')
        const later = code.filter((tag) => !tag.includes(first.fileName))
        return [style, ...code]
          .reduce((rest, tag) => rest.replace(tag, ''), html)
          .replace('<meta charset="utf-8" />', (charset) => charset + style)
          .replace('</head>', (end) => {
            const script = `<script type="module" crossorigin src="/${first.fileName}"></script>`
            return `${script}<template id="code">${later.map(withLowPriority).join('')}</template>${end}`
          })
      },
    },
  }
}

/** Fonts may still be on their way. Browsers fetch preloaded modules with the priority of style. */
const withLowPriority = (tag: string) => tag.replace('>', ' fetchpriority="low">')

/** Links for these chunks and all that they import, each after what it imports, without what the document loads anyway. */
function preloadLinks(bundle: Rolldown.OutputBundle, names: string[]): string {
  const files = Object.values(bundle).filter((file) => file.type === 'chunk')
  const withImports = (fileName: string, found = new Set<string>()): Set<string> => {
    const chunk = files.find((file) => file.fileName === fileName)
    if (!chunk || found.has(fileName)) return found
    for (const imported of chunk.imports) withImports(imported, found)
    return found.add(fileName)
  }
  const entry = files.find(({ isEntry }) => isEntry)
  if (!entry) throw new Error('The build has no entry')
  const wanted = names.map((name) => {
    const chunk = files.find((file) => file.name === name)
    if (!chunk) throw new Error(`The build has no ${name}`)
    return withImports(chunk.fileName)
  })
  const inDocument = withImports(entry.fileName)
  const rest = new Set(wanted.flatMap((found) => [...found]).filter((file) => !inDocument.has(file)))
  return [...rest].map((file) => withLowPriority(`<link rel="modulepreload" crossorigin href="/${file}">`)).join('')
}

/** Adds the pages that users download: one checks saved receipts and proofs, the other exits from the vault. */
function offlinePages(): Plugin {
  return {
    name: 'wellplay-offline-pages',
    generateBundle() {
      for (const name of OFFLINE_PAGES)
        this.emitFile({ type: 'asset', fileName: `${name}.html`, source: buildOfflinePage(name) })
    },
    configureServer({ middlewares }) {
      for (const name of OFFLINE_PAGES)
        middlewares.use(`/${name}.html`, (_request, response) => response.end(buildOfflinePage(name)))
    },
  }
}

/** Writes a .br and a .gz copy of every text file in the build, so that the server never compresses on the fly. */
function precompress(): Plugin {
  let folder = ''
  return {
    name: 'wellplay-precompress',
    // A build that writes nothing must not touch the files of an earlier one.
    apply: ({ build }, { command }) => command === 'build' && build?.write !== false,
    configResolved: (config) => {
      folder = config.build.outDir
    },
    closeBundle: {
      order: 'post',
      handler: () => {
        for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
          if (!entry.isFile() || !/\.(html|js|css|svg|json|webmanifest|txt)$/.test(entry.name)) continue
          const path = join(entry.parentPath, entry.name)
          const text = readFileSync(path)
          const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
          writeFileSync(`${path}.br`, brotliCompressSync(text, { params: quality }))
          writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }))
        }
      },
    },
  }
}
