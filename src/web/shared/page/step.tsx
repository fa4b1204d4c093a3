import type { LucideIcon } from 'lucide-react'

/** The look of a step: a link or a button as wide as its place. `onPanel`: on a dark card. */
export const stepClass = (onPanel: boolean): string =>
  `flex min-h-19 w-full items-center gap-3.5 rounded-inner p-3.5 text-left transition active:scale-[.98] ${onPanel ? 'bg-panel-line hover:brightness-110' : 'bg-sunken hover:bg-quiet'}`

type StepWordsProps = { icon: LucideIcon; title: string; text: string; onPanel: boolean }

export const StepWords = ({ icon: Icon, title, text, onPanel }: StepWordsProps) => (
  <>
    <span
      className={`grid size-11 shrink-0 place-items-center rounded-full ${onPanel ? 'bg-lime text-[#10231c]' : 'bg-leaf-tint text-leaf-ink'}`}
    >
      <Icon size={20} aria-hidden="true" />
    </span>
    <span className="min-w-0">
      <span className="block font-semibold">{title}</span>
      <span className={`block text-sm ${onPanel ? 'text-on-panel-soft' : 'text-faint'}`}>{text}</span>
    </span>
  </>
)
