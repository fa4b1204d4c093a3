import { Wallet } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { CallError } from '../shared/api/api.ts'
import type { chosenEntry } from '../shared/wallet/chosen-entry.ts'
import { useWalletOptions, type WalletOption } from '../shared/wallet/discovery.ts'
import type { LastWallet } from '../shared/wallet/last-wallet.ts'
import { OtherAccount } from './sign-in.ts'
import type { useEntry } from './use-entry.ts'

type ReturningProps = {
  last: LastWallet
  chosen: ReturnType<typeof chosenEntry>
  entry: ReturnType<typeof useEntry>
  isReady: boolean
  onOther(problem?: string): void
}

const NEW_WALLET = 'This wallet has no account here yet. Choose a name, and it gets one. No second signature is needed.'

/** One tap for a user who has signed in here before: no name, and no list of wallets. */
export function Returning({ last, chosen, entry, isReady, onOther }: ReturningProps) {
  const option = useWalletOptions().find(({ id }) => id === last.id)
  const [other, setOther] = useState<string>()

  async function start(found: WalletOption, expected: string | undefined): Promise<void> {
    try {
      await entry.comeBack(found, expected, (error) => error instanceof OtherAccount || isUnregistered(error))
    } catch (error) {
      if (error instanceof OtherAccount) setOther(error.address)
      else onOther(NEW_WALLET)
    }
  }

  const expected = chosen === 'switch' ? undefined : last.address
  useChosenEntry(isReady ? option : undefined, chosen && ((found) => start(found, expected)))
  const isMissing = isReady && !option
  return (
    <>
      <div>
        <h1 className="font-display text-3xl">Welcome back</h1>
        <p className="mt-1 text-soft">You last signed in here with {last.name}.</p>
      </div>
      {!entry.step && isReady && (
        <div className="grid gap-3">
          {other && (
            <p role="alert" className="rounded-control bg-gold-tint px-4 py-3 text-sm text-gold-ink">
              Your wallet is set to {other} now. Switch back to {last.address} in your wallet, or sign in as {other}.
            </p>
          )}
          {isMissing && (
            <p role="status" className="rounded-control bg-gold-tint px-4 py-3 text-sm text-gold-ink">
              {last.name} does not answer in this browser. Unlock or start it, or use another wallet.
            </p>
          )}
          <Button
            size="l"
            wide
            disabled={!option}
            icon={<Wallet size={20} aria-hidden="true" />}
            onClick={() => option && start(option, last.address)}
          >
            Sign in as {last.address}
          </Button>
          {other && option && (
            <Button size="l" variant="outline" wide onClick={() => start(option, other)}>
              Sign in as {other}
            </Button>
          )}
          <Button variant="bare" wide onClick={() => onOther()}>
            Use another wallet
          </Button>
        </div>
      )}
    </>
  )
}

const isUnregistered = (error: unknown): boolean => error instanceof CallError && error.code === 'wallet_unregistered'

/** Does what the user chose on the page before, once. */
function useChosenEntry(option: WalletOption | undefined, start: ((option: WalletOption) => void) | undefined): void {
  const hasStarted = useRef(false)
  useEffect(() => {
    if (!option || !start || hasStarted.current) return
    hasStarted.current = true
    start(option)
  })
}
