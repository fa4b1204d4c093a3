import { useEffect, useState } from 'react'
import type { Details } from '../../protocol/balance.ts'
import { balance } from '../../protocol/balance.ts'
import { formatUsdt, type Usdt } from '../../protocol/money.ts'
import { terms } from '../../protocol/terms.ts'
import { transfers } from '../../protocol/transfers.ts'
import { username } from '../../protocol/users.ts'
import { notify } from '../../ui/toast.tsx'
import { useCall, useRead } from '../shared/api/api.ts'
import { queries } from '../shared/api/queries.tsx'
import { readAmount } from '../shared/money/amounts.ts'
import type { Source } from '../shared/money/source-picker.tsx'

const TYPING_MS = 350

export const balancesOf = (details: Details): Record<Source, Usdt> => ({
  daily: details.planreward,
  referral: details.planreff,
  wallet: details.wallet,
})

/** The form of a transfer, from typing to the server's answer. */
export function useTransfer(balances: Record<Source, Usdt>, source: Source, ownName: string) {
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  const [note, setNote] = useState('')
  const [confirming, setConfirming] = useState(false)
  const recipient = useRecipient(name, ownName)
  const send = useCall(transfers.send)
  const amount = readAmount(text)
  const complaint = text === '' ? undefined : complaintAbout(amount, balances[source])
  const refusal = send.error && send.error.field !== 'to_user' ? send.error.message : undefined

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
    complaint: complaint ?? refusal,
    ready: amount !== undefined && complaint === undefined && recipient.found !== undefined,
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

function complaintAbout(amount: Usdt | undefined, held: Usdt): string | undefined {
  if (amount === undefined) return 'Enter an amount such as 12.5'
  if (amount < terms.transferMin) return `Send at least ${formatUsdt(terms.transferMin)} USDT`
  if (amount > held) return 'Insufficient balance'
  if (amount > terms.transferMax) return `Send at most ${formatUsdt(terms.transferMax)} USDT at once`
  return undefined
}

/** Looks the recipient up while they are typed, and says who it is before any money is. */
function useRecipient(typed: string, ownName: string) {
  const [settled, setSettled] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  const isName = username.safeParse(settled).success
  const isSelf = settled === ownName
  const read = useRead(transfers.recipient, { to_user: settled }, { enabled: isName && !isSelf })
  const isCurrent = settled === typed && isName
  if (isSelf && isCurrent) return { problem: 'You cannot send to yourself' }
  if (!isCurrent) return { searching: username.safeParse(typed).success }
  if (read.isError) return { problem: read.error.message }
  return read.data ? { found: read.data.data } : { searching: read.isFetching }
}

/** Everything that shows transfers or the balances they move. */
export const refresh = (): Promise<void> =>
  Promise.all(
    [transfers.history, balance.details].map(({ path }) => queries.invalidateQueries({ queryKey: [path] })),
  ).then(() => undefined)
