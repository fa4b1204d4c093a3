import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react'

type TabsProps<Id extends string> = {
  label: string
  tabs: readonly { id: Id; label: string }[]
  selected: Id
  onSelect: (id: Id) => void
  children: ReactNode
}

/** Arrow keys move between the tabs; Tab moves into the panel. */
export function Tabs<Id extends string>({ label, tabs, selected, onSelect, children }: TabsProps<Id>) {
  const base = useId()
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const current = tabs.findIndex(({ id }) => id === selected)
    const next = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: -1 }[event.key]
    const tab = next === undefined ? undefined : tabs.at(next % tabs.length)
    if (!tab) return
    event.preventDefault()
    onSelect(tab.id)
    list.current?.querySelector<HTMLElement>(`[data-tab="${tab.id}"]`)?.focus()
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        onKeyDown={onKeyDown}
        className="flex w-fit max-w-full flex-wrap gap-1 rounded-[16px] bg-sunken p-1"
      >
        {tabs.map(({ id, label: text }) => (
          <button
            key={id}
            type="button"
            role="tab"
            data-tab={id}
            id={`${base}-${id}`}
            aria-selected={id === selected}
            aria-controls={`${base}-panel`}
            tabIndex={id === selected ? 0 : -1}
            onClick={() => onSelect(id)}
            className="h-10 grow whitespace-nowrap rounded-[12px] px-4 font-semibold text-sm text-soft transition hover:text-ink aria-selected:bg-raised aria-selected:text-ink aria-selected:shadow-card"
          >
            {text}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${selected}`}>
        {children}
      </div>
    </div>
  )
}
