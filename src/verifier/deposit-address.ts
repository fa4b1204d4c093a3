import { fromHex, joinBytes, toHex } from './bytes.ts'
import { DEPOSIT_CODE, DEPOSIT_FACTORY } from './deposit-code.ts'
import { keccak256 } from './keccak.ts'
import { addressWord } from './vault-calls.ts'

/**
 * The deposit address of a wallet (contracts/DepositAddress.sol), by the rule of CREATE2: it follows from the factory and
 * from the code with its two parameters. So the code there can only be this code, for this vault and this wallet.
 */
export function depositAddressOf(vault: string, wallet: string, factory: string = DEPOSIT_FACTORY): `0x${string}` {
  const bytesOf = (hex: string) => fromHex(hex.slice(2))
  const code = joinBytes(bytesOf(DEPOSIT_CODE), addressWord(bytesOf(vault)), addressWord(bytesOf(wallet)))
  const noSalt = new Uint8Array(32)
  const hash = keccak256(joinBytes(Uint8Array.of(0xff), bytesOf(factory), noSalt, keccak256(code)))
  return `0x${toHex(hash.slice(12))}`
}
