import { useEffect, useState } from 'react'
import type { Address } from '../../protocol/ids.ts'
import { isDemoWallet, useWalletOptions, type WalletOption } from '../shared/wallet/discovery.ts'

/**
 * The wallets to which the account can change. A demo wallet has only one account, so the current one is left out. A
 * browser wallet can switch to another account.
 */
export function useNewWallets(current: Address): WalletOption[] {
  const options = useWalletOptions()
  const [otherDemos, setOtherDemos] = useState<WalletOption[]>([])
  useEffect(() => {
    let isShown = true
    void Promise.all(
      options
        .filter(({ id }) => isDemoWallet(id))
        .map(async (option) => ((await addressOf(option)) === current ? [] : [option])),
    ).then((found) => isShown && setOtherDemos(found.flat()))
    return () => {
      isShown = false
    }
  }, [options, current])
  return options.filter((option) => !isDemoWallet(option.id) || otherDemos.includes(option))
}

async function addressOf({ provider }: WalletOption): Promise<string | undefined> {
  const [address] = (await provider.request({ method: 'eth_accounts' })) as string[]
  return address?.toLowerCase()
}
