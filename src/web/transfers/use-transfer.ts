import { useEffect, useState } from 'react'
import type { Details } from '../../protocol/balance.ts'
import { balance } from '../../protocol/balance.ts'
import type { Address } from '../../protocol/ids.ts'
import { subtract, type Usdt } from '../../protocol/money.ts'
import type { Terms } from '../../protocol/terms.ts'
import {
  refuseRecipient,
  refuseTransfer,
  type TransferOrder,
  transfers,
  transferTypedData,
} from '../../protocol/transfers.ts'
import { username } from '../../protocol/users.ts'
import type { SignedTerms } from '../../protocol/wallet-signature.ts'
import { notify } from '../../ui/toast.tsx'
import { useCall, useRead } from '../shared/api/api.ts'
import { queries } from '../shared/api/queries.tsx'
import { readAmount } from '../shared/money/amounts.ts'
import type { Source } from '../shared/money/source-picker.tsx'
import { useOneAtATime } from '../shared/page/use-one-at-a-time.ts'
import { notifyWalletProblem } from '../shared/wallet/errors.ts'
import { openWallet } from '../shared/wallet/open.ts'
import { fieldsOf, newSignedTerms } from '../shared/wallet/signed-terms.ts'

const DEBOUNCE_MS = 350

export const balancesOf = (details: Details): Record<Source, Usdt> => ({
  daily: details.planreward,
  referral: details.planreff,
  wallet: details.wallet,
})

/** What may leave each balance now. */
export const sendableOf = (details: Details): Record<Source, Usdt> => ({
  ...balancesOf(details),
  referral: details.planreff_matured,
})

type Shown = { details: Details; terms: Terms; source: Source }

/** The state of the transfer form, from typing to the server's reply. */
export function useTransfer({ details, terms, source }: Shown, ownName: string) {
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const [note, setNote] = useState('')
  const [confirming, setConfirming] = useState(false)
  const recipient = useRecipient(name, ownName)
  const send = useCall(transfers.send)
  const { run } = useOneAtATime()
  const amount = readAmount(text)
  const held = balancesOf(details)[source]
  const matured = { amount: sendableOf(details)[source], days: terms.referralMatureDays }
  const bounds = { amountMin: terms.transferMin, amountMax: terms.transferMax, held, matured }
  const refusal = refuseTransfer(amount, bounds)
  const complaint = text === '' ? undefined : refusal?.message
  const answer = send.error && send.error.field !== 'to_user' ? send.error.message : undefined

  const [signing, setSigning] = useState(false)
  const mustSign = amount !== undefined && recipient.found !== undefined && amount > recipient.found.unsigned_max

  async function transfer(): Promise<void> {
    if (amount === undefined || !recipient.found) return
    const order = { amount, source, to: recipient.found.username }
    setSigning(mustSign)
    const proof = mustSign ? await signOrder(order, details.wallet_address).catch(declined) : {}
    setSigning(false)
    if (!proof) return setConfirming(false)
    const input = { to_user: order.to, amount, source, note: note.trim() || undefined, ...proof }
    try {
      const { Msg } = await send.mutateAsync(input)
      notify.success(Msg)
      setText('')
      setNote('')
    } catch {
      // The form shows the error of the call.
    }
    setConfirming(false)
    // Also after a refusal: another transfer may have used the allowance.
    void refresh()
  }

  return {
    name,
    setName,
    text,
    note,
    setNote,
    amount,
    recipient,
    complaint: complaint ?? answer,
    missing: amount !== undefined && amount > held ? subtract(amount, held) : undefined,
    ready: refusal === undefined && recipient.found !== undefined,
    busy: send.isPending || signing,
    signing,
    mustSign,
    confirming,
    changeAmount(value: string) {
      send.reset()
      setText(value)
    },
    review: () => setConfirming(true),
    cancel: () => setConfirming(false),
    confirm: () => run(transfer),
  }
}

function declined(error: unknown): undefined {
  notifyWalletProblem(error, 'You declined in your wallet. Nothing was sent.')
}

/** Gets the wallet's signature over exactly this transfer. */
async function signOrder(order: Omit<TransferOrder, keyof SignedTerms>, address: Address) {
  const { signer, info } = await openWallet(address)
  const terms = newSignedTerms(info)
  const signature = await signer.signTypedData(transferTypedData({ ...order, ...terms }))
  return { ...fieldsOf(terms), signature }
}

/** Looks up the recipient while the user types, debounced, so that they see who it is before they send. */
function useRecipient(typed: string, ownName: string) {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const isName = username.safeParse(settled).success
  const refusal = refuseRecipient(settled, ownName)
  const read = useRead(transfers.recipient, { to_user: settled }, { enabled: isName && !refusal })
  const isCurrent = settled === typed && isName
  if (refusal && isCurrent) return { problem: refusal.message }
  if (!isCurrent) return { searching: username.safeParse(typed).success }
  if (read.isError) return { problem: read.error.message }
  return read.data ? { found: read.data.data } : { searching: read.isFetching }
}

/** Refetches transfers, and the balances and allowance they change. */
export const refresh = (): Promise<void> =>
  Promise.all(
    [transfers.history, transfers.recipient, balance.details].map(({ path }) =>
      queries.invalidateQueries({ queryKey: [path] }),
    ),
  ).then(() => undefined)
