import { ArrowLeftRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { shortAddress } from '../../protocol/short-address.ts'
import { wallet } from '../../protocol/wallet.ts'
import { Button } from '../../ui/button.tsx'
import { useRead } from '../shared/api/api.ts'
import { useStoredUser } from '../shared/api/use-stored-user.ts'
import { useOneAtATime } from '../shared/page/use-one-at-a-time.ts'
import { chooseEntry } from '../shared/wallet/chosen-entry.ts'
import { isDemoWallet, useWalletOptions, type WalletOption } from '../shared/wallet/discovery.ts'
import { notifyWalletProblem } from '../shared/wallet/errors.ts'
import { readSessionWallet } from '../shared/wallet/session-wallet.ts'
import { useIsSwitching } from '../shared/wallet/switching.ts'
import { useWalletState } from '../shared/wallet/use-wallet-state.ts'
import type { NetworkInfo } from '../shared/wallet/wallet.ts'
import { endSession } from './sign-out.ts'

/** Says what to do when the wallet is set to another account or network than this session. */
export function WalletNotice() {
  const user = useStoredUser()
  const option = useSessionWallet()
  const { address, chainId } = useWalletState(option?.provider)
  const isSwitching = useIsSwitching()
  const network = useRead(wallet.chain, {}, { enabled: option !== undefined }).data
  if (!user || !option || !address || isSwitching) return null
  if (user.wallet_address.toLowerCase() !== address)
    return <OtherAccount mine={shortAddress(user.wallet_address)} other={shortAddress(address)} />
  if (network && chainId !== undefined && chainId !== network.chain_id)
    return <OtherNetwork option={option} network={network} />
  return null
}

/** A demo wallet has one account and one network, so there is nothing to watch. */
function useSessionWallet(): WalletOption | undefined {
  const id = readSessionWallet()
  const option = useWalletOptions().find((one) => one.id === id)
  return isDemoWallet(id) ? undefined : option
}

function OtherAccount({ mine, other }: { mine: string; other: string }) {
  // Ending the session leads to the sign-up page, which does the rest.
  const signInAsOther = () => {
    chooseEntry('switch')
    endSession()
  }
  return (
    <Notice action={<Button onClick={signInAsOther}>Sign in as {other}</Button>}>
      Your wallet is set to <strong className="figures">{other}</strong>, but you are signed in as{' '}
      <strong className="figures">{mine}</strong>. Nothing is signed or sent with the other account.{' '}
      <strong>Switch back in your wallet</strong>, or:
    </Notice>
  )
}

function OtherNetwork({ option, network }: { option: WalletOption; network: NetworkInfo }) {
  const { isBusy, run } = useOneAtATime()
  async function change(): Promise<void> {
    try {
      const { switchNetwork } = await import('../shared/wallet/wallet.ts')
      await switchNetwork(option, network)
    } catch (error) {
      notifyWalletProblem(error, 'You declined in your wallet. It is still on the other network.')
    }
  }
  return (
    <Notice
      action={
        <Button busy={isBusy} onClick={() => run(change)}>
          Switch to {network.network_name}
        </Button>
      }
    >
      Your wallet is on another network. We use {network.network_name}, and nothing is signed or sent on another one.
    </Notice>
  )
}

const Notice = ({ action, children }: { action: ReactNode; children: ReactNode }) => (
  <section
    role="alert"
    aria-label="Your wallet"
    className="mb-5 flex flex-wrap items-center gap-4 rounded-card bg-gold-tint p-5 text-gold-ink"
  >
    <ArrowLeftRight size={22} aria-hidden="true" className="shrink-0 self-start" />
    <p className="min-w-60 flex-1">{children}</p>
    {action}
  </section>
)
