import { writeFileSync } from 'node:fs'
import { compileVault, VAULT_CODE_FILE } from '../src/server/embedded/vault-code.ts'

/** Compiles the vault again after a change of its sources. */
writeFileSync(VAULT_CODE_FILE, `${await compileVault()}\n`)
