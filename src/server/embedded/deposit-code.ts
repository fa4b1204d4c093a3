import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { concatHex, getContractAddress, type Hex, pad } from 'viem'
import type { Address } from '../../protocol/ids.ts'
import { compileEach, readContracts } from './compile.ts'

const ROOT = join(import.meta.dirname, '../../..')
export const FACTORY_CODE_FILE = join(ROOT, 'contracts/DepositFactory.hex')
export const DEPOSIT_CODE_FILE = join(ROOT, 'src/verifier/deposit-code.ts')

/**
 * The CREATE2 proxy that most chains have, at the same address (github.com/Arachnid/deterministic-deployment-proxy). What
 * is deployed through it gets an address that follows from its code, and anyone can deploy it.
 */
export const CREATE2_PROXY: Address = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const NO_SALT = pad('0x0', { size: 32 })

/** What the proxy is called with to deploy this code. */
export const proxyCall = (code: Hex): Hex => concatHex([NO_SALT, code])

/** Where the proxy deploys this code. */
export const proxiedAddress = (code: Hex): Address => create2Address(CREATE2_PROXY, code)

export const create2Address = (from: Address, bytecode: Hex): Address =>
  getContractAddress({ opcode: 'CREATE2', from, salt: NO_SALT, bytecode }).toLowerCase() as Address

export type DepositCode = { factory: Hex; address: Hex }

/** Compiles the factory and the deposit address. A test compares the result with the stored code. */
export async function compileDeposits(): Promise<DepositCode> {
  const [compiled = {}] = await compileEach([readContracts('DepositAddress.sol', 'DepositFactory.sol')])
  const { DepositFactory: factory, DepositAddress: address } = compiled
  if (!factory || !address) throw new Error('a contract is missing')
  return { factory, address }
}

/** The creation code of the factory, as it was reviewed. It has no parameters. */
export const readFactoryCode = (): Hex => readFileSync(FACTORY_CODE_FILE, 'utf8').trim() as Hex

/** The text of src/verifier/deposit-code.ts. Browsers compute deposit addresses from it. */
export const depositCodeText = ({ factory, address }: DepositCode): string =>
  `// Written by \`npm run compile:vault\`.

/** Where the factory of contracts/DepositFactory.sol is on every chain. */
export const DEPOSIT_FACTORY = '${proxiedAddress(factory)}'
/** The creation code of contracts/DepositAddress.sol, without its parameters. */
export const DEPOSIT_CODE =
  '${address}'
`
