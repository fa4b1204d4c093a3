import type { ReactNode } from 'react'

/** What a form is about to do, as lines of name and figure. The last line, the result, is emphasised. */
export function Summary({ lines }: { lines: { name: string; value: ReactNode }[] }) {
  return (
    <dl className="grid gap-2.5 rounded-inner bg-sunken p-4">
      {lines.map(({ name, value }) => (
        <div
          key={name}
          className="flex items-baseline justify-between gap-4 last:mt-1 last:border-line last:border-t last:pt-3 last:font-semibold last:text-ink"
        >
          <dt className="text-soft text-sm">{name}</dt>
          <dd className="figures min-w-0 wrap-anywhere text-right">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
