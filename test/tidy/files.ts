import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

export const root = join(import.meta.dirname, '../..')

export type SourceFile = { path: string; text: string }

export const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** Files in these folders with a matching name. Excludes the checks themselves, which quote what they forbid. */
export function listFiles(folders = ['src', 'test', 'bench', 'scripts'], name = /\.tsx?$/): SourceFile[] {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith('test/tidy/'))
    .map((path) => ({ path, text: read(path) }))
}
