import { bytesToHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

const WORDS = 'test test test test test test test test test test test junk'

/** The private keys of anvil's and hardhat's default accounts, derived from their published mnemonic. */
export const publishedKeys = (): string[] =>
  Array.from({ length: 20 }, (_, addressIndex) => {
    const { privateKey } = mnemonicToAccount(WORDS, { addressIndex }).getHdKey()
    if (!privateKey) throw new Error('this account has no private key')
    return bytesToHex(privateKey)
  })
