import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'

type MenuProps = {
  label: string
  trigger: ReactNode
  triggerClass?: string
  /** Shown above the items, such as who is signed in. */
  head?: ReactNode
  closeOnLeave?: boolean
  /** Elements made with menuItemClass and role="menuitem". */
  children: ReactNode
}

export const menuItemClass =
  'flex min-h-11 w-full items-center gap-3 rounded-[12px] px-3 text-left font-medium text-ink transition-colors hover:bg-quiet focus-visible:bg-quiet'

/** A button with a menu. Arrow keys, Home and End move the focus; Escape or a click outside closes it. */
export function Menu({ label, trigger, triggerClass = '', head, closeOnLeave = false, children }: MenuProps) {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const menuId = useId()
  useEffect(() => {
    if (!open) return
    const closeOutside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', closeOutside)
    document.addEventListener('focusin', closeOutside)
    return () => {
      document.removeEventListener('pointerdown', closeOutside)
      document.removeEventListener('focusin', closeOutside)
    }
  }, [open])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && open) {
      setOpen(false)
      button.current?.focus()
    }
    if (!['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(event.key)) return
    event.preventDefault()
    if (!open) setOpen(true)
    requestAnimationFrame(() => moveFocus(root.current, event.key))
  }

  return (
    <div
      ref={root}
      role="toolbar"
      aria-label={label}
      className="relative"
      onKeyDown={onKeyDown}
      onPointerLeave={(event) => {
        if (closeOnLeave && event.pointerType === 'mouse') setOpen(false)
      }}
    >
      <button
        ref={button}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={menuId}
        onClick={() => setOpen(!open)}
        className={triggerClass}
      >
        {trigger}
      </button>
      {open && (
        // Padding instead of a margin: the gap below the button belongs to the menu, so the mouse does not leave it.
        <div className="absolute top-full right-0 z-50 pt-2">
          <div className="w-64 origin-top-right animate-pop rounded-[20px] border border-line bg-raised p-2 shadow-lift">
            {head}
            <div id={menuId} role="menu" aria-label={label}>
              {children}
            </div>
          </div>
        </div>
      )}
    </div>
  )
}

function moveFocus(root: HTMLElement | null, key: string): void {
  const items = [...(root?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])]
  const current = items.indexOf(document.activeElement as HTMLElement)
  const next = { ArrowDown: current + 1, ArrowUp: current < 0 ? -1 : current - 1, Home: 0, End: -1 }[key] ?? 0
  items.at(next % items.length)?.focus()
}
