import { lazy, Suspense } from 'react'

const CheckSheet = lazy(async () => ({ default: (await import('./check-sheet.tsx')).CheckSheet }))

/** The sheet of the check. Its code is loaded when it is first opened, because most visits never need it. */
export const OpenedCheck = ({ open, onClose }: { open: boolean; onClose: () => void }) =>
  open && (
    <Suspense fallback={null}>
      <CheckSheet onClose={onClose} />
    </Suspense>
  )
