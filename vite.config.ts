import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, runnerImport } from 'vite'
import { buildOfflinePage, OFFLINE_PAGES } from './scripts/offline-pages.ts'

const root = import.meta.dirname
const api = process.env.API_URL ?? 'http://localhost:3000'

export default defineConfig({
  root: join(root, 'src/web'),
  cacheDir: join(root, '.cache/vite'),
  plugins: [react(), tailwind(), serviceWorker(), firstPaint(), offlinePages(), precompress()],
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
 * One chunk for the first load, and a few for code that pages share. By default, every icon and every schema shared by
 * two pages would become a separate file and request.
 */
function chunkGroups() {
  const runtime = 'node_modules/(react|react-dom|scheduler|react-router|lucide-react/dist/esm/(?!icons))'
  const shared =
    'src/(ui/(button|format|logo|media|ring|skeleton|states|theme|tone)|protocol/(brand|colour-odds|short-address|texts)|web/shared/api/stored-user)\\.'
  const icons =
    'icons/(apple|brain|cloud-off|dumbbell|flame|footprints|heart-pulse|leaf|menu|moon|sparkles|target|trophy|wallet|wind|x)\\.'
  return [
    { name: 'base', test: new RegExp(`${runtime}|${shared}|${icons}`) },
    { name: 'schemas', test: /node_modules\/zod\/|web\/shared\/api\/no-eval/ },
    { name: 'parts', test: /src\/ui\/(?!chart|qr)/, minShareCount: 2 },
    { name: 'protocol', test: /src\/protocol\//, minShareCount: 2 },
    { name: 'icons', test: /node_modules\/lucide-react\//, minShareCount: 2 },
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

/** Writes the HTML that the server adds to the landing page: its first screen, and a preload link for its script. */
function firstPaint(): Plugin {
  return {
    name: 'wellplay-first-paint',
    apply: 'build',
    async generateBundle(_, bundle) {
      const landing = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'landing-page')
      if (!landing) throw new Error('The build has no landing page')
      const path = join(root, 'src/web/landing/first-paint.tsx')
      const { module } = await runnerImport<{ firstPaint: () => string }>(path)
      const head = `<link rel="modulepreload" crossorigin href="/${landing.fileName}">`
      const source = JSON.stringify({ head, body: module.firstPaint() })
      this.emitFile({ type: 'asset', fileName: 'first-paint.json', source })
    },
  }
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
