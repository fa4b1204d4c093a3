import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'
import { brand } from '../src/protocol/brand.ts'
import { DEPOSIT_FACTORY } from '../src/verifier/deposit-code.ts'

/** The files of src/verifier in each page. They become one script, so no two of them may declare the same name. */
const MODULES = {
  verifier: [
    ...['bytes', 'merkle', 'vault-tree', 'leaf-keys', 'keccak', 'signer', 'attestations', 'kept-fields'],
    ...['kept-proofs', 'kept-files'],
  ],
  exit: [
    ...['bytes', 'keccak', 'vault-tree', 'vault-levels', 'leaf-keys', 'tree-file', 'kept-fields', 'kept-proofs'],
    ...['vault-calls', 'vault-state', 'exit-plan'],
  ],
}
export type OfflinePage = keyof typeof MODULES
export const OFFLINE_PAGES = Object.keys(MODULES) as OfflinePage[]
const root = join(import.meta.dirname, '..')

/**
 * A page that works without us: one HTML file with the code of src/verifier that the app runs. Only the types are stripped,
 * so it stays readable.
 */
export function buildOfflinePage(name: OfflinePage): string {
  const code = MODULES[name]
    .map((module) => stripTypeScriptTypes(readFileSync(join(root, `src/verifier/${module}.ts`), 'utf8')))
    .join('\n')
    .replace(/^import [\s\S]*?from '[^']*'\n/gm, '')
    .replace(/^export /gm, '')
    // Remove the whitespace that the stripped types leave behind.
    .replace(/(?<=\S) +(?=[),;\n])/g, '')
    .replace(/(?<=\S) {2,}/g, ' ')
    .replace(/^ +$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
  const template = readFileSync(join(root, `src/web/trust/${name}.html`), 'utf8')
  const page = template
    .replaceAll('__ISSUER__', brand.name)
    .replace('__FACTORY__', DEPOSIT_FACTORY)
    .replace('__CODE__', () => code)
  const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(page) ?? []
  // Throws here, and not in the user's browser, if the script does not parse or a name is declared twice.
  new Script(script)
  return page
}
