import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDERS = ['/usr/local/bin', '/usr/bin', '/usr/sbin']
const APT = '/usr/bin/apt-get'
/** While this file exists and ends with 101, Debian starts no service that it installs. */
const NO_SERVICES = '/usr/sbin/policy-rc.d'

/**
 * The path of a program that some tests need and that npm does not provide. Root installs it from Debian. Otherwise this
 * prints that these tests are left out.
 */
export function findProgram(name: string, debianPackage = name): string | undefined {
  const find = () => FOLDERS.map((folder) => join(folder, name)).find((path) => existsSync(path))
  if (!find() && process.getuid?.() === 0 && existsSync(APT)) install(debianPackage)
  const path = find()
  if (!path) console.log(`Tests with ${name} are left out, because it is not installed (package ${debianPackage}).`)
  return path
}

function install(debianPackage: string): void {
  const isOurs = !existsSync(NO_SERVICES)
  if (isOurs) writeFileSync(NO_SERVICES, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    execFileSync(APT, ['update', '-qq'], { stdio: 'ignore' })
    execFileSync(APT, ['install', '-y', '-qq', '--no-install-recommends', debianPackage], { stdio: 'ignore' })
  } catch {
    // There is no such package, or no network. The program is not found then.
  } finally {
    if (isOurs) rmSync(NO_SERVICES)
  }
}
