import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const CACHE = join(import.meta.dirname, '../../.cache')
const isRoot = process.getuid?.() === 0

/** promtool, which checks and tests alert rules: the machine's own, else Debian's. Undefined if there is neither. */
export const findPromtool = (): string | undefined =>
  spawnSync('promtool', ['--version']).status === 0 ? 'promtool' : findInPackage('prometheus', 'usr/bin/promtool')

/** The source of Patroni's REST API, which names all its metrics. */
export const findPatroniApi = (): string | undefined =>
  findInPackage('patroni', 'usr/lib/python3/dist-packages/patroni/api.py')

/** A file of a Debian package. The package is only unpacked, so that no service is installed or started. */
function findInPackage(name: string, path: string): string | undefined {
  const folder = join(CACHE, `debian-${name}`)
  const file = join(folder, path)
  if (existsSync(file)) return file
  if (spawnSync('apt-get', ['--version']).status !== 0) return undefined
  mkdirSync(CACHE, { recursive: true })
  const fresh = mkdtempSync(`${folder}-`)
  try {
    download(name, fresh)
    const [archive = ''] = readdirSync(fresh).filter((entry) => entry.endsWith('.deb'))
    execFileSync('dpkg-deb', ['-x', join(fresh, archive), fresh])
    rmSync(folder, { recursive: true, force: true })
    renameSync(fresh, folder)
    return file
  } catch {
    rmSync(fresh, { recursive: true, force: true })
    return undefined
  }
}

/** A new machine has no package lists yet. Only root can fetch them. */
function download(name: string, cwd: string): void {
  const isDownloaded = () => spawnSync('apt-get', ['download', '-qq', name], { cwd }).status === 0
  if (isDownloaded()) return
  if (isRoot) spawnSync('apt-get', ['update', '-qq'])
  if (!isRoot || !isDownloaded()) throw new Error(`${name} could not be downloaded`)
}
