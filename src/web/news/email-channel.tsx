import { type FormEvent, useState } from 'react'
import { CODE_DIGITS, news } from '../../protocol/news.ts'
import type { InputOf, Route } from '../../protocol/route.ts'
import { Button } from '../../ui/button.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { notify } from '../../ui/toast.tsx'
import { useCall } from '../shared/api/api.ts'
import { type NewsSettings, refreshSettings } from './settings-card.tsx'

type Email = NonNullable<NewsSettings['email']>

/** An address, a code that proves it, and a way to stop. */
export function EmailChannel({ email: { address, waiting } }: { email: Email }) {
  const [isChanging, setChanging] = useState(false)
  const stop = useCall(news.stopEmail)
  const end = () => stop.mutate({}, { onSuccess: saved, onError: ({ message }) => notify.error(message) })
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <h3 className="font-semibold text-[15px]">E-mail</h3>
          <p className="wrap-anywhere text-faint text-sm">{address ? `To ${address}` : 'Not set up yet.'}</p>
        </div>
        {address && (
          <Button variant="quiet" size="s" busy={stop.isPending} onClick={end}>
            Stop e-mails
          </Button>
        )}
      </div>
      {waiting && !isChanging ? (
        <Code address={waiting} onChange={() => setChanging(true)} />
      ) : (
        (!address || isChanging) && <Address onSent={() => setChanging(false)} />
      )}
    </div>
  )
}

async function saved({ Msg }: { Msg: string }): Promise<void> {
  await refreshSettings()
  notify.success(Msg)
}

/** Sends one field of a form and shows the refusal beside it. */
function useField<R extends Route>(route: R, inputOf: (text: string) => InputOf<R>, onDone: () => void) {
  const [text, setText] = useState('')
  const send = useCall(route)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (send.isPending) return
    const onSuccess = async (reply: unknown) => {
      await saved(reply as { Msg: string })
      setText('')
      onDone()
    }
    send.mutate(inputOf(text.trim()), { onSuccess })
  }
  return { text, setText, submit, isBusy: send.isPending, error: send.error?.message }
}

function Address({ onSent }: { onSent: () => void }) {
  const { text, setText, submit, isBusy, error } = useField(news.addEmail, (address) => ({ address }), onSent)
  return (
    <form onSubmit={submit} noValidate className="grid gap-3">
      <Field
        label="Your e-mail address"
        hint="We send a code first, and nothing else before you enter it."
        error={error}
      >
        {(control) => (
          <TextInput
            {...control}
            type="email"
            autoComplete="email"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" variant="outline" className="w-fit" busy={isBusy} disabled={text.trim() === ''}>
        Send code
      </Button>
    </form>
  )
}

function Code({ address, onChange }: { address: string; onChange: () => void }) {
  const { text, setText, submit, isBusy, error } = useField(news.confirmEmail, (code) => ({ code }), onChange)
  return (
    <form onSubmit={submit} noValidate className="grid gap-3">
      <Field label="Code" hint={`The ${CODE_DIGITS} digits that we sent to ${address}.`} error={error}>
        {(control) => (
          <TextInput
            {...control}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={CODE_DIGITS}
            value={text}
            onChange={(event) => setText(event.target.value.replace(/\D/g, ''))}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={isBusy} disabled={text.length !== CODE_DIGITS}>
          Confirm
        </Button>
        <Button variant="bare" disabled={isBusy} onClick={onChange}>
          Use another address
        </Button>
      </div>
    </form>
  )
}
