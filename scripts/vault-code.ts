import { writeFileSync } from 'node:fs'
import {
  compileDeposits,
  DEPOSIT_CODE_FILE,
  depositCodeText,
  FACTORY_CODE_FILE,
} from '../src/server/embedded/deposit-code.ts'
import { compileVault, VAULT_CODE_FILE } from '../src/server/embedded/vault-code.ts'

/** Compiles the vault and the deposit addresses again after a change of their sources. */
writeFileSync(VAULT_CODE_FILE, `${await compileVault()}\n`)
const deposits = await compileDeposits()
writeFileSync(FACTORY_CODE_FILE, `${deposits.factory}\n`)
writeFileSync(DEPOSIT_CODE_FILE, depositCodeText(deposits))
