import { brand } from '../protocol/brand.ts'

/** The logo mark: a ring that is about to close around a play symbol. */
export function Mark({ size = 32, className = '' }: { size?: number; className?: string }) {
  return (
    <svg viewBox="0 0 48 48" width={size} height={size} className={`shrink-0 ${className}`} aria-hidden="true">
      <circle cx="24" cy="24" r="18.5" fill="none" strokeWidth="7" className="stroke-track" />
      <path
        d="M33.25 7.98A18.5 18.5 0 1 0 42.5 24"
        fill="none"
        strokeWidth="7"
        strokeLinecap="round"
        className="stroke-leaf"
      />
      <path
        d="M20.6 17.8c0-1.5 1.6-2.4 2.9-1.6l8.6 5.9c1.2.9 1.2 2.6 0 3.4l-8.6 5.9c-1.3.9-2.9 0-2.9-1.5z"
        className="fill-ink"
      />
    </svg>
  )
}

export function Logo({ size = 32 }: { size?: number }) {
  return (
    <span className="inline-flex items-center gap-2.5">
      <Mark size={size} />
      <span className="font-display text-ink text-xl">{brand.name}</span>
    </span>
  )
}
