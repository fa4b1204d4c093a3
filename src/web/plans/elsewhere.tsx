import { useState } from 'react'
import { type Address, txHash } from '../../protocol/ids.ts'
import { Button } from '../../ui/button.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Qr } from '../../ui/qr.tsx'
import { DeclarationFields } from '../shared/declare/declaration-fields.tsx'
import type { DeclarationState } from '../shared/declare/use-declaration.ts'
import { CopyField } from './copy-field.tsx'

type ElsewhereProps = {
  support: Address
  ready: boolean
  declaration: DeclarationState
  onHash: (hash: string) => void
}

/** For payments from a phone or another app: shows the receiving address and takes the transaction hash. */
export function Elsewhere({ support, ready, declaration, onHash }: ElsewhereProps) {
  const [hash, setHash] = useState('')
  const { data: sent, error } = txHash.safeParse(hash.trim())
  return (
    <div className="grid gap-5">
      <div className="grid items-center gap-5 min-[520px]:grid-cols-[auto_1fr]">
        <Qr text={support} label="Our receiving address as a QR code" size={132} />
        <div className="grid gap-3">
          <CopyField label="Receiving address" value={support} />
          <p className="text-faint text-sm">
            Send exactly this amount of USDT from the wallet you signed in with. Any other amount goes to your wallet
            balance, so nothing is lost.
          </p>
        </div>
      </div>
      <Field
        label="Transaction hash"
        hint={ready ? 'Paste it here after you have sent the USDT' : 'Enter the amount first'}
        error={hash === '' ? undefined : error?.issues[0]?.message}
      >
        {(control) => (
          <TextInput
            {...control}
            value={hash}
            onChange={(event) => setHash(event.target.value)}
            placeholder="0x…"
            autoComplete="off"
            spellCheck={false}
            className="figures"
          />
        )}
      </Field>
      <DeclarationFields declaration={declaration} doing="sending it" />
      <Button
        wide
        disabled={!ready || !sent || !declaration.isReady}
        onClick={() => {
          if (sent) onHash(sent)
          setHash('')
        }}
      >
        {declaration.prefix}I have sent it
      </Button>
    </div>
  )
}
