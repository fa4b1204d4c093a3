import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { Http } from './http.ts'
import { isPage, pathOf } from './methods.ts'

const OFFLINE_PAGES = ['verifier.html', 'exit.html']
const YEAR_SECONDS = 31_536_000

type FirstPaint = { code: string; body: string }
/**
 * What the build prepares, by path: preload links, and what the document shows while the app loads. "/user/*" is for all
 * pages under /user without their own, and "/*" for the rest.
 */
export type FirstPaints = Record<string, FirstPaint> & Record<'/*', FirstPaint>

/**
 * Serves the built web app: hashed files cached for a year, and index.html for every page with `<!--og-->` and its first
 * paint filled in. The landing page has its first screen in the HTML.
 */
export async function serveWeb(http: Http, folder: string, pageTags: (path: string) => Promise<string>): Promise<void> {
  const indexFile = join(folder, 'index.html')
  if (!existsSync(indexFile)) return
  const index = readFileSync(indexFile, 'utf8')
  const paints = readFirstPaints(folder)
  const fill = ({ code, body }: FirstPaint) =>
    index.replace('</template>', (end) => code + end).replace('<div id="root">', (tag) => tag + body)
  const documents = new Map(Object.entries(paints).map(([path, paint]) => [path, fill(paint)]))
  const documentOf = (path: string) =>
    documents.get(path) ?? documents.get(`/${path.split('/')[1]}/*`) ?? documents.get('/*') ?? index
  await http.register(fastifyStatic, {
    root: folder,
    index: false,
    preCompressed: true,
    wildcard: false,
    setHeaders: (reply, path) => {
      const isHashed = path.includes(`${join(folder, 'assets')}`)
      reply.header('cache-control', isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache')
      // These pages have an inline script, so they are sent as downloads and never run on our origin.
      if (OFFLINE_PAGES.some((name) => path.startsWith(join(folder, name))))
        reply.header('content-disposition', 'attachment')
    },
  })
  http.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    config: { limit: 'read' },
    handler: async (request, reply) => {
      const path = pathOf(request)
      if (!isPage(path)) throw http.refusePath(request, reply)
      const tags = await pageTags(path)
      // A function, because `$'` and similar patterns in a replacement text would copy parts of the page.
      const html = documentOf(path).replace('<!--og-->', () => tags)
      return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(html)
    },
  })
}

function readFirstPaints(folder: string): FirstPaints {
  const file = join(folder, 'first-paint.json')
  const none = { code: '', body: '' }
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { '/*': none }
}
