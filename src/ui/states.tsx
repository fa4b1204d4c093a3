import { CloudOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { noticeTexts } from '../protocol/texts.ts'
import { Button } from './button.tsx'
import { Ring } from './ring.tsx'

type EmptyProps = { title: string; children?: ReactNode; action?: ReactNode; icon?: ReactNode }

/** Empty state: says that there is nothing yet, and what to do about it. */
export function Empty({ title, children, action, icon }: EmptyProps) {
  return (
    <div className="grid justify-items-center gap-4 px-4 py-10 text-center">
      <Ring value={0.12} size={84} stroke={8} tone="lime">
        <span className="text-faint">{icon}</span>
      </Ring>
      <div className="grid max-w-sm gap-1.5">
        <p className="font-display text-lg">{title}</p>
        {children && <p className="text-soft">{children}</p>}
      </div>
      {action}
    </div>
  )
}

type ErrorStateProps = { title: string; children?: ReactNode; onRetry?: () => void }

/** Error state: says what happened, why, and what to do next. */
export function ErrorState({ title, children, onRetry }: ErrorStateProps) {
  return (
    <div role="alert" className="grid justify-items-center gap-4 px-4 py-10 text-center">
      <span className="grid size-16 place-items-center rounded-full bg-coral-tint text-coral-ink">
        <CloudOff aria-hidden="true" />
      </span>
      <div className="grid max-w-sm gap-1.5">
        <p className="font-display text-lg">{title}</p>
        {children && <p className="text-soft">{children}</p>}
      </div>
      {onRetry && (
        <Button variant="outline" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  )
}

/** Fallback while a page is loading. */
export function Loading() {
  return (
    <div className="grid min-h-[60dvh] place-content-center justify-items-center gap-4" role="status">
      <Ring size={56} stroke={6} />
      <p className="text-soft">{noticeTexts.loading}</p>
    </div>
  )
}
