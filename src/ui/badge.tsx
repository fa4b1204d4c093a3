import type { ReactNode } from 'react'
import { type Tone, tintByTone } from './tone.ts'

export function Badge({ tone = 'leaf', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 whitespace-nowrap rounded-full px-2.5 py-1 font-semibold text-xs leading-4 ${tintByTone[tone]}`}
    >
      {children}
    </span>
  )
}
