import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { lastLines, startChild, withLogFile } from '../embedded/child.ts'
import { environmentWith } from '../platform/config.ts'
import { StartError } from '../platform/start-error.ts'

const vite = (root: string) => join(root, 'node_modules', '.bin', 'vite')
// Set here, because a test or a shell may have set another NODE_ENV, and the stamp would keep that build.
const PRODUCTION = environmentWith({ NODE_ENV: 'production' })
const logOf = (folder: string) => join(folder, 'web-build.log')

/** Builds the web app, unless its sources have not changed since the last build. */
export async function buildWeb(root: string): Promise<void> {
  const folder = join(root, '.cache')
  mkdirSync(folder, { recursive: true })
  const stamp = join(folder, 'web-build.sha256')
  const hash = hashOf(root)
  if (existsSync(join(root, 'dist/web/index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  const build = withLogFile(logOf(folder), (output) =>
    startChild({ command: vite(root), args: ['build'], cwd: root, env: PRODUCTION, signal: 'TERM', output }),
  )
  if ((await build.exited) !== 0) throw new StartError(`The web app failed to build:\n${lastLines(logOf(folder), 15)}`)
  writeFileSync(stamp, hash)
}

function hashOf(root: string): string {
  const hash = createHash('sha256')
  for (const folder of ['src/verifier', 'src/protocol', 'src/ui', 'src/web'])
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).filter((e) =>
      e.isFile(),
    ))
      hash.update(entry.name).update(readFileSync(join(entry.parentPath, entry.name)))
  for (const file of ['package-lock.json', 'vite.config.ts']) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

/** Starts Vite with hot reload in front of the API. */
export async function startWebDevServer(
  root: string,
  port: number,
  apiPort: number,
): Promise<{ stop(timeoutMs?: number): Promise<void> }> {
  return startChild({
    command: vite(root),
    args: ['--port', String(port), '--strictPort'],
    cwd: root,
    env: environmentWith({ API_URL: `http://127.0.0.1:${apiPort}` }),
    signal: 'TERM',
    output: 'inherit',
  })
}
