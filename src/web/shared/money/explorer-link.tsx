import { ExternalLink } from 'lucide-react'
import { shortAddress } from '../../../protocol/short-address.ts'
import { wallet } from '../../../protocol/wallet.ts'
import { useRead } from '../api/api.ts'

/** A chain transaction: a link to the network's explorer, or its hash where there is none. */
export function ExplorerLink({ hash }: { hash: string }) {
  const explorer = useRead(wallet.chain, {}).data?.explorer
  if (!explorer)
    return (
      <span className="figures text-sm opacity-75" title={hash}>
        {shortAddress(hash)}
      </span>
    )
  return (
    <a
      href={`${explorer.replace(/\/$/, '')}/tx/${hash}`}
      target="_blank"
      rel="noreferrer"
      className="figures inline-flex items-center gap-1.5 text-sm underline underline-offset-4"
    >
      {shortAddress(hash)}
      <ExternalLink size={14} aria-hidden="true" />
      <span className="sr-only">opens the explorer</span>
    </a>
  )
}
