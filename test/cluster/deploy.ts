import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

const DEPLOY = join(import.meta.dirname, '../../deploy')

/** The files for a real cluster. The one we start uses them too, so that they are tested. */
export const deployPath = (path: string): string => join(DEPLOY, path)

/** An environment file with the values of this machine. A name that the file does not have is a mistake in the file. */
export function environmentFrom(path: string, values: Record<string, string>): Record<string, string> {
  const given = parseEnv(readFileSync(deployPath(path), 'utf8')) as Record<string, string>
  const unknown = Object.keys(values).filter((name) => !(name in given))
  if (unknown.length > 0) throw new Error(`deploy/${path} does not have ${unknown.join(', ')}`)
  return { PATH: process.env['PATH'] ?? '', ...given, ...values }
}
