import { Check } from 'lucide-react'
import { useEffect } from 'react'
import type { OutputOf } from '../../protocol/route.ts'
import { shortAddress } from '../../protocol/short-address.ts'
import type { users } from '../../protocol/users.ts'
import { wallet } from '../../protocol/wallet.ts'
import { WALLET_CHANGE_HOURS } from '../../protocol/wallet-changes.ts'
import { SIGNATURE_MINUTES } from '../../protocol/wallet-signature.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { useRead } from '../shared/api/api.ts'
import { SECOND_DEMO_WALLET_ID, useWalletOptions, type WalletOption } from '../shared/wallet/discovery.ts'
import { useSwitching } from '../shared/wallet/switching.ts'
import type { NetworkInfo } from '../shared/wallet/wallet.ts'
import { useNewWallets } from './use-new-wallets.ts'
import { useWalletChange } from './use-wallet-change.ts'

type Me = OutputOf<typeof users.me>['data']
type Flow = ReturnType<typeof useWalletChange>

const facts = [
  'Both wallets sign: the one you use now, and the new one.',
  `The change is made ${WALLET_CHANGE_HOURS} hours later. Until then you can stop it on your profile.`,
  'Then every device is signed out, and you sign in with the new wallet.',
  'Your balances and plans stay. USDT from your old wallet, or sent to its deposit address, still reaches you.',
  'You get a new deposit address. Withdrawals go to the new wallet, from about an hour after the change.',
]

/** Asks for the new wallet, then for the signature of the current wallet, then for that of the new one. */
export function ChangeWalletSheet({ me, onClose }: { me: Me; onClose: () => void }) {
  const flow = useWalletChange(me, onClose)
  const network = useRead(wallet.chain, {}).data
  useSwitching()
  useOurWallets(network)
  const hasSecond = useWalletOptions().some(({ id }) => id === SECOND_DEMO_WALLET_ID)
  const options = useNewWallets(me.wallet_address)
  const canMakeDemo = network?.demo_wallet === true && !hasSecond
  return (
    <Dialog open onClose={onClose} locked={flow.isBusy} title="Change wallet">
      {flow.half ? (
        <SecondSignature flow={flow} options={options} />
      ) : (
        <FirstSignature flow={flow} options={options} canMakeDemo={canMakeDemo} />
      )}
    </Dialog>
  )
}

function useOurWallets(network: NetworkInfo | undefined): void {
  useEffect(() => {
    if (network)
      void import('../shared/wallet/our-wallets.ts').then(({ announceOurWallets }) => announceOurWallets(network))
  }, [network])
}

type StepProps = { flow: Flow; options: WalletOption[] }

function FirstSignature({ flow, options, canMakeDemo }: StepProps & { canMakeDemo: boolean }) {
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (flow.isReady) void flow.signWithCurrent()
      }}
    >
      <ul className="grid gap-2.5">
        {facts.map((fact) => (
          <li key={fact} className="flex items-start gap-2.5">
            <Check size={18} className="mt-0.5 shrink-0 text-leaf-ink" aria-hidden="true" />
            <span>{fact}</span>
          </li>
        ))}
      </ul>
      <Field label="Address of your new wallet" error={flow.complaint}>
        {(control) => (
          <TextInput
            {...control}
            value={flow.text}
            onChange={({ target }) => flow.change(target.value)}
            placeholder="0x…"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            disabled={flow.isBusy}
            className="figures text-sm"
          />
        )}
      </Field>
      {(options.length > 0 || canMakeDemo) && (
        <fieldset className="flex flex-wrap gap-2" disabled={flow.isBusy}>
          <legend className="mb-2 text-faint text-sm">Or take it from a wallet that is set to it:</legend>
          {options.map((option) => (
            <OptionButton key={option.id} option={option} onClick={() => flow.take(option)} />
          ))}
          {canMakeDemo && (
            <Button variant="outline" size="s" onClick={() => flow.makeDemo()}>
              Make a second demo wallet
            </Button>
          )}
        </fieldset>
      )}
      <Button type="submit" size="l" wide busy={flow.isBusy} disabled={!flow.isReady}>
        Sign with your current wallet
      </Button>
    </form>
  )
}

function SecondSignature({ flow, options }: StepProps) {
  return (
    <div className="grid gap-5">
      <p className="flex items-start gap-2.5">
        <Check size={18} className="mt-0.5 shrink-0 text-leaf-ink" aria-hidden="true" />
        Your current wallet has signed.
      </p>
      {options.length > 0 ? (
        <p>
          Now sign the same message with <strong className="figures text-ink">{shortAddress(flow.to ?? '')}</strong>. If
          your wallet has several accounts, switch to this one first. You have about {SIGNATURE_MINUTES} minutes.
        </p>
      ) : (
        <p>
          This browser has no wallet for <strong className="figures text-ink">{shortAddress(flow.to ?? '')}</strong>.
          Add your new wallet to this browser, reload the page and start again. Nothing has changed.
        </p>
      )}
      <fieldset className="grid gap-3" disabled={flow.isBusy}>
        <legend className="sr-only">Sign with your new wallet</legend>
        {options.map((option) => (
          <OptionButton key={option.id} option={option} verb="Sign with " onClick={() => flow.signWithNew(option)} />
        ))}
      </fieldset>
      {flow.complaint && (
        <p role="alert" className="text-coral-ink">
          {flow.complaint}
        </p>
      )}
      <Button variant="quiet" disabled={flow.isBusy} onClick={flow.startAgain}>
        Start again
      </Button>
    </div>
  )
}

type OptionButtonProps = { option: WalletOption; verb?: string; onClick: () => void }

const OptionButton = ({ option, verb = '', onClick }: OptionButtonProps) => (
  <Button variant="outline" size={verb ? 'l' : 's'} onClick={onClick}>
    <img src={option.icon} alt="" className="size-5 rounded-md" />
    {verb}
    {option.name}
  </Button>
)
