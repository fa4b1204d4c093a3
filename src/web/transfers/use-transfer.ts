import { useEffect, useState } from 'react'
import type { Details } from '../../protocol/balance.ts'
import { balance } from '../../protocol/balance.ts'
import type { Usdt } from '../../protocol/money.ts'
import { terms } from '../../protocol/terms.ts'
import { refuseRecipient, refuseTransfer, transfers } from '../../protocol/transfers.ts'
import { username } from '../../protocol/users.ts'
import { notify } from '../../ui/toast.tsx'
import { useCall, useRead } from '../shared/api/api.ts'
import { queries } from '../shared/api/queries.tsx'
import { readAmount } from '../shared/money/amounts.ts'
import type { Source } from '../shared/money/source-picker.tsx'

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

/** The state of the transfer form, from typing to the server's reply. */
export function useTransfer(details: Details, source: Source, ownName: string) {
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const [note, setNote] = useState('')
  const [confirming, setConfirming] = useState(false)
  const recipient = useRecipient(name, ownName)
  const send = useCall(transfers.send)
  const amount = readAmount(text)
  const [held, matured] = [balancesOf(details)[source], sendableOf(details)[source]]
  const bounds = { amountMin: terms.transferMin, amountMax: terms.transferMax, held, matured }
  const refusal = refuseTransfer(amount, bounds)
  const complaint = text === '' ? undefined : refusal?.message
  const answer = send.error && send.error.field !== 'to_user' ? send.error.message : undefined

  function confirm(): void {
    if (amount === undefined || !recipient.found) return
    const input = { to_user: recipient.found.username, amount, source, note: note.trim() || undefined }
    send.mutate(input, {
      onSuccess: ({ Msg }) => {
        notify.success(Msg)
        setText('')
        setNote('')
        void refresh()
      },
      onSettled: () => setConfirming(false),
    })
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
    ready: refusal === undefined && recipient.found !== undefined,
    busy: send.isPending,
    confirming,
    changeAmount(value: string) {
      send.reset()
      setText(value)
    },
    review: () => setConfirming(true),
    cancel: () => setConfirming(false),
    confirm,
  }
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

/** Refetches transfers and the balances they change. */
export const refresh = (): Promise<void> =>
  Promise.all(
    [transfers.history, balance.details].map(({ path }) => queries.invalidateQueries({ queryKey: [path] })),
  ).then(() => undefined)
