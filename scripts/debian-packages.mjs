import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const POSTGRES = '/usr/lib/postgresql'

/** Where the newest PostgreSQL has its programs. */
export function postgresBin() {
  const versions = existsSync(POSTGRES) ? readdirSync(POSTGRES).map(Number) : []
  return join(POSTGRES, String(Math.max(0, ...versions)), 'bin')
}

/** The packages that a cluster needs, then those of other tests, each with the path of a file in it. */
const packages = {
  patroni: () => '/usr/bin/patroni',
  'python3-etcd': () => '/usr/lib/python3/dist-packages/etcd/__init__.py',
  'etcd-server': () => '/usr/bin/etcd',
  haproxy: () => '/usr/sbin/haproxy',
  postgresql: () => join(postgresBin(), 'pg_rewind'),
  pgbouncer: () => '/usr/sbin/pgbouncer',
  prometheus: () => '/usr/bin/promtool',
}
export const clusterPackages = ['patroni', 'python3-etcd', 'etcd-server', 'haproxy', 'postgresql']
/** What Debian starts with them, and again at every boot. Tests run their own, with other ports and folders. */
const services = {
  patroni: 'patroni',
  'etcd-server': 'etcd',
  haproxy: 'haproxy',
  postgresql: 'postgresql',
  pgbouncer: 'pgbouncer',
  prometheus: 'prometheus',
}
const POLICY = '/usr/sbin/policy-rc.d'

export const listMissingPackages = (names = Object.keys(packages)) =>
  names.filter((name) => !existsSync(packages[name]()))

/** Installs what is missing if this user may do so. The command or test that needs it says what is still missing. */
export function installDebianPackages(names) {
  const missing = listMissingPackages(names)
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  console.log(`Installing ${missing.join(', ')} …`)
  try {
    withoutServices(() => {
      runQuietly('apt-get', ['update', '-qq'])
      runQuietly('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...missing])
    })
    if (existsSync('/run/systemd/system'))
      runQuietly('systemctl', ['disable', '--now', ...missing.flatMap((name) => services[name] ?? [])])
  } catch (error) {
    console.error(`apt-get could not install them: ${String(error.stderr).trim().split('\n').at(-1)}`)
  }
}

const runQuietly = (command, args) =>
  execFileSync(command, args, { stdio: 'pipe', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })

/** This file makes Debian's packages start nothing. One that exists already belongs to the machine's administrator. */
function withoutServices(install) {
  if (existsSync(POLICY)) return install()
  writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    install()
  } finally {
    rmSync(POLICY)
  }
}
