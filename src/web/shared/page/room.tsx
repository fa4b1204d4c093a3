import { X } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { IconButton } from '../../../ui/button.tsx'

type RoomProps = { title: string; note?: ReactNode; onClose: () => void; children: ReactNode }

/** A full-screen dialog for guided exercises. The last child stays at the bottom. */
export function Room({ title, note, onClose, children }: RoomProps) {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    element.current?.showModal()
  }, [])
  return (
    <dialog
      ref={element}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      className="m-0 h-dvh max-h-none w-dvw max-w-none animate-fade bg-panel p-0 text-on-panel"
    >
      <div className="mx-auto grid h-full max-w-xl grid-rows-[auto_1fr_auto] gap-4 px-5 pt-[max(1rem,env(safe-area-inset-top))] pb-[max(1.5rem,env(safe-area-inset-bottom))]">
        <header className="flex items-center justify-between gap-4">
          <div>
            <h2 className="text-2xl">{title}</h2>
            {note && <p className="figures text-on-panel-soft text-sm">{note}</p>}
          </div>
          <IconButton
            label="Close"
            onClick={onClose}
            className="text-on-panel-soft! hover:bg-panel-line hover:text-on-panel!"
          >
            <X size={22} aria-hidden="true" />
          </IconButton>
        </header>
        {children}
      </div>
    </dialog>
  )
}
