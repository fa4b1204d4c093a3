import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { shortAddress } from '../protocol/short-address.ts'
import { noticeTexts } from '../protocol/texts.ts'
import { copyText } from './copy.ts'

type AddressProps = { address: string; copied?: string; full?: boolean }

/** A chain address, shortened to its first 6 and last 4 characters. A click copies the full address. */
export function Address({ address, copied = noticeTexts.addressCopied, full = false }: AddressProps) {
  const [done, setDone] = useState(false)
  const copy = async () => {
    if (!(await copyText(address, copied))) return
    setDone(true)
    setTimeout(() => setDone(false), 2_000)
  }
  const Icon = done ? Check : Copy
  return (
    <button
      type="button"
      onClick={copy}
      title={address}
      className="figures inline-flex min-h-9 w-fit max-w-full items-center gap-2 rounded-full bg-quiet px-3.5 font-medium text-sm transition hover:bg-line active:scale-[.98]"
    >
      <span className="sr-only">Copy address</span>
      <span className={full ? 'break-all py-1.5 text-left' : ''}>{full ? address : shortAddress(address)}</span>
      <Icon size={15} aria-hidden="true" className={done ? 'shrink-0 text-leaf-ink' : 'shrink-0 text-faint'} />
    </button>
  )
}
