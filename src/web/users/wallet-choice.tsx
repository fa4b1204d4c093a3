import { Wallet } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { useMedia } from '../../ui/media.ts'
import { DEMO_WALLET_ID, isBrowserWallet, useWalletOptions, type WalletOption } from '../shared/wallet/discovery.ts'
import { OpenInApp, OtherDevice } from './no-wallet.tsx'

/** `page` is this page's address with the invitation, for a wallet's own browser or a phone. */
type WalletChoiceProps = {
  page: string
  isInvited: boolean
  isDevelopment: boolean
  onChoose(option: WalletOption): void
}

export function WalletChoice({ page, isInvited, isDevelopment, onChoose }: WalletChoiceProps) {
  const options = useWalletOptions()
  const isPhone = useMedia('(pointer: coarse) and (hover: none)')
  const demo = options.find(({ id }) => id === DEMO_WALLET_ID)
  const others = options.filter((option) => option !== demo)
  const isMissing = !options.some(isBrowserWallet)
  return (
    <div className="grid gap-3">
      {isDevelopment && (
        <Button
          size="l"
          wide
          busy={!demo}
          icon={<Wallet size={20} aria-hidden="true" />}
          onClick={() => demo && onChoose(demo)}
        >
          Start with a demo wallet
        </Button>
      )}
      {others.map((option) => (
        <Button key={option.id} variant="outline" size="l" wide onClick={() => onChoose(option)}>
          <img src={option.icon} alt="" className="size-6 rounded-md" />
          {option.name}
        </Button>
      ))}
      {isMissing && isDevelopment && (
        <p className="text-center text-faint text-sm">
          The demo wallet is created in your browser, with test money in it. Browser wallets appear here too.
        </p>
      )}
      {isMissing && isPhone && <OpenInApp {...{ page, isInvited }} />}
      {isMissing && !isPhone && !isDevelopment && <OtherDevice {...{ page, isInvited }} />}
    </div>
  )
}
