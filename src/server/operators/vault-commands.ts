import type { Address } from '../../protocol/ids.ts'
import { parseUsdt } from '../../protocol/money.ts'
import { vaultKeys } from '../chain/vault.ts'
import { deployVault, describeVault } from '../chain/vault-deploy.ts'
import type { VaultPlan } from '../embedded/vault-code.ts'
import { type AloneCommand, type Flags, type Option, type Options, table, wrong } from './command.ts'
import { findKey } from './keys.ts'

const required = (value: string, about: string): Option => ({ type: 'string', value, required: true, about })

const options: Options = {
  rpc: required('URL', 'a node of the chain'),
  token: required('ADDRESS', 'the USDT token'),
  payer: required('ADDRESS', 'asks for payouts: the hot wallet'),
  publisher: required('ADDRESS', 'publishes the roots of all balances'),
  guardian: required('ADDRESS', 'can pause and strike roots; held by a person outside the operator'),
  owner: required('ADDRESS', 'can replace keys and raise limits, two days later'),
  daily: required('USDT', 'the most that leaves in a day'),
  single: required('USDT', 'the most in one payout'),
  floor: required('USDT', 'leaves in a day even if it is more than a fifth; at most a thousand, never changes'),
  confirm: { type: 'string', value: 'HASH', about: 'deploys what was printed with this hash' },
  'key-file': { type: 'string', value: 'PATH', about: 'the key that pays the BNB; it gets no rights in the vault' },
}

/** Prints what will be deployed. Called again with the hash of that, it deploys it and checks the result. */
export const deployVaultCommand: AloneCommand = {
  name: 'deploy-vault',
  options,
  summary: 'deploys the vault on a chain; prints what to verify and asks you to confirm it',
  async runAlone({ flags, write, operatorKey }) {
    const [rpc, plan] = [String(flags['rpc']), readPlan(flags)]
    const { rows, hash } = await describeVault(rpc, plan)
    write(table(['the vault', ''], rows))
    if (flags['confirm'] === undefined) {
      write(`\nNothing was deployed. If all of this is right, run the command again with --confirm ${hash}`)
      return 0
    }
    if (flags['confirm'] !== hash) throw wrong('The hash is not that of the vault above. Read it again.')
    const key = findKey({ flags, operatorKey })
    if (!key) throw wrong('A key must pay for the deployment: add --key-file')
    const vault = await deployVault(rpc, plan, key)
    if (!vault) throw wrong('The deployment failed, or the contract is not what was confirmed. Do not use it.')
    write('\nDeployed and checked: code, token and keys are as above. Set this for every process:\n')
    write(`  VAULT_ADDRESS=${vault}`)
    return 0
  },
}

function readPlan(flags: Flags): VaultPlan {
  const address = (name: string): Address => {
    const text = String(flags[name] ?? '').toLowerCase()
    if (!/^0x[0-9a-f]{40}$/.test(text)) throw wrong(`--${name} is not an address`)
    return text as Address
  }
  const amount = (name: string): bigint => {
    try {
      return parseUsdt(String(flags[name] ?? ''))
    } catch {
      throw wrong(`--${name} is not an amount of USDT`)
    }
  }
  const keys = {
    payer: address('payer'),
    publisher: address('publisher'),
    guardian: address('guardian'),
    owner: address('owner'),
  }
  if (new Set(Object.values(keys)).size < vaultKeys.length)
    throw wrong('Payer, publisher, guardian and owner must be four different keys')
  const plan = {
    token: address('token'),
    ...keys,
    dailyMax: amount('daily'),
    singleMax: amount('single'),
    floor: amount('floor'),
  }
  if (plan.floor > FLOOR_MAX) throw wrong('--floor is at most a thousand USDT')
  return plan
}

/** The contract refuses more. */
const FLOOR_MAX = parseUsdt('1000')
