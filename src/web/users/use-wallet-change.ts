import { useState } from 'react'
import type { Address, UserId } from '../../protocol/ids.ts'
import { shortAddress } from '../../protocol/short-address.ts'
import { users } from '../../protocol/users.ts'
import { wallet } from '../../protocol/wallet.ts'
import { type WalletChangeOrder, walletChangeTypedData } from '../../protocol/wallet-changes.ts'
import { notify } from '../../ui/toast.tsx'
import { CallError, call } from '../shared/api/api.ts'
import { queries } from '../shared/api/queries.tsx'
import { useOneAtATime } from '../shared/page/use-one-at-a-time.ts'
import { findWalletOption, SECOND_DEMO_WALLET_ID, type WalletOption } from '../shared/wallet/discovery.ts'
import { notifyWalletProblem } from '../shared/wallet/errors.ts'
import { openWallet } from '../shared/wallet/open.ts'
import { fieldsOf, newSignedTerms } from '../shared/wallet/signed-terms.ts'

type Me = { id: UserId; wallet_address: Address }
/** What the current wallet has signed, and the new one has yet to sign. */
type Half = { order: WalletChangeOrder; signature: string }

/** Both wallets sign the same message, one after the other: a browser wallet has one account at a time. */
export function useWalletChange(me: Me, onDone: () => void) {
  const { isBusy, run } = useOneAtATime()
  const [text, setText] = useState('')
  const [half, setHalf] = useState<Half>()
  const [answer, setAnswer] = useState<string>()
  const to = addressOf(text)

  /** A mistake of the user, or a refusal of the server, stays on the sheet. What the wallet says passes. */
  const act = (work: () => Promise<void>) =>
    run(async () => {
      setAnswer(undefined)
      try {
        await work()
      } catch (error) {
        if (error instanceof CallError || error instanceof WrongAccount) setAnswer(error.message)
        else notifyWalletProblem(error, 'You declined in your wallet. Nothing has changed.')
      }
    })

  async function take(option: WalletOption): Promise<void> {
    const { address } = await connect(option)
    if (address === me.wallet_address)
      throw new WrongAccount(`${option.name} is set to your current wallet. Switch to the new account in it first.`)
    setText(address)
  }

  async function signWithCurrent(): Promise<void> {
    if (to) setHalf(await signFirst(me, to))
  }

  async function signWithNew({ order, signature }: Half, option: WalletOption): Promise<void> {
    const signer = await connect(option)
    if (signer.address !== order.to)
      throw new WrongAccount(
        `${option.name} is set to ${shortAddress(signer.address)}. Switch to ${shortAddress(order.to)} in it, then try again.`,
      )
    const new_signature = await signer.signTypedData(walletChangeTypedData(order))
    const signed = { to_wallet: order.to, ...fieldsOf(order), signature, new_signature }
    const { Msg } = await call(users.askForWallet, signed)
    notify.success(Msg)
    await refreshChange()
    onDone()
  }

  return {
    text,
    to,
    half,
    isBusy,
    complaint: complaintOf(text, to, me.wallet_address) ?? answer,
    isReady: to !== undefined && to !== me.wallet_address,
    change(value: string) {
      setAnswer(undefined)
      setText(value)
    },
    take: (option: WalletOption) => act(() => take(option)),
    makeDemo: () => act(async () => take(await makeSecondDemo())),
    signWithCurrent: () => act(signWithCurrent),
    signWithNew: (option: WalletOption) => act(async () => half && signWithNew(half, option)),
    startAgain() {
      setAnswer(undefined)
      setHalf(undefined)
    },
  }
}

class WrongAccount extends Error {}

/** Has the current wallet sign the change to this address. */
async function signFirst(me: Me, to: Address): Promise<Half> {
  const { signer, info } = await openWallet(me.wallet_address)
  const order = { account: me.id, from: me.wallet_address, to, ...newSignedTerms(info) }
  return { order, signature: await signer.signTypedData(walletChangeTypedData(order)) }
}

const addressOf = (text: string): Address | undefined =>
  /^0x[0-9a-f]{40}$/i.test(text.trim()) ? (text.trim().toLowerCase() as Address) : undefined

function complaintOf(text: string, to: Address | undefined, current: Address): string | undefined {
  if (text === '') return undefined
  if (!to) return 'An address is 0x and 40 digits or letters from a to f.'
  return to === current ? 'This is your current wallet.' : undefined
}

async function connect(option: WalletOption) {
  const [{ connectOption }, info] = await Promise.all([import('../shared/wallet/wallet.ts'), call(wallet.chain, {})])
  return connectOption(option, info)
}

/** On the development network, so that the change can be tried without a real wallet. */
async function makeSecondDemo(): Promise<WalletOption> {
  const [{ announceSecondDemoWallet }, { chain_id }] = await Promise.all([
    import('../shared/wallet/demo.ts'),
    call(wallet.chain, {}),
  ])
  await announceSecondDemoWallet(chain_id)
  const option = findWalletOption(SECOND_DEMO_WALLET_ID)
  if (!option) throw new Error('The second demo wallet could not be made')
  return option
}

export const refreshChange = (): Promise<void> => queries.invalidateQueries({ queryKey: [users.walletChange.path] })
