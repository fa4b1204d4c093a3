import { Check, Info, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Toast, toast, useToaster } from 'react-hot-toast/headless'
import { Ring } from './ring.tsx'

/** How long each kind is shown. At most 20 are shown at once, which is the library's own limit. */
export const TOAST_MS = { success: 2_000, error: 4_000, neutral: 4_000, loading: Number.POSITIVE_INFINITY }

const assertive = { role: 'alert', 'aria-live': 'assertive' } as const

type Options = { id?: string }

export const notify = {
  success: (text: string, options?: Options) => toast.success(text, { ...options, duration: TOAST_MS.success }),
  error: (text: string, options?: Options) =>
    toast.error(text, { ...options, duration: TOAST_MS.error, ariaProps: assertive }),
  neutral: (text: string, options?: Options) => toast(text, { ...options, duration: TOAST_MS.neutral }),
  loading: (text: string, options?: Options) => toast.loading(text, { ...options, duration: TOAST_MS.loading }),
  dismiss: (id?: string) => toast.dismiss(id),
}

/**
 * We render notices ourselves: the library's own view writes style elements and markup, which Trusted Types forbid.
 * Pointer events pass through, so a notice never blocks what is below it.
 */
export function Toaster() {
  const { toasts } = useToaster()
  return (
    <section
      aria-label="Notifications"
      className="pointer-events-none fixed inset-x-3 top-[max(.75rem,env(safe-area-inset-top))] z-[100] grid justify-items-center gap-2"
    >
      {toasts
        .filter(({ visible }) => visible)
        .map((item) => (
          <ToastView key={item.id} item={item} />
        ))}
    </section>
  )
}

function ToastView({ item }: { item: Toast }) {
  const icons: Record<string, ReactNode> = {
    success: <Dot className="bg-leaf-tint text-leaf-ink" icon={<Check size={15} strokeWidth={3} />} />,
    error: <Dot className="bg-coral-tint text-coral-ink" icon={<X size={15} strokeWidth={3} />} />,
    loading: <Ring size={24} stroke={3.5} />,
  }
  return (
    <div
      {...item.ariaProps}
      className="flex w-fit max-w-[350px] animate-rise items-center gap-3 rounded-[18px] border border-line bg-raised py-2.5 pr-4 pl-3 font-medium text-[15px] text-ink leading-snug shadow-lift"
    >
      {icons[item.type] ?? <Dot className="bg-sky-tint text-sky-ink" icon={<Info size={15} strokeWidth={3} />} />}
      <span className="min-w-0 wrap-anywhere">{String(item.message)}</span>
    </div>
  )
}

function Dot({ className, icon }: { className: string; icon: ReactNode }) {
  return (
    <span aria-hidden="true" className={`grid size-6 shrink-0 place-items-center rounded-full ${className}`}>
      {icon}
    </span>
  )
}
