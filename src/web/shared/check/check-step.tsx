import { useEffect, useState } from 'react'
import { StepWords, stepClass } from '../page/step.tsx'
import { rememberCheck } from './checked.ts'
import { OpenedCheck } from './opened-check.tsx'
import { sealOf } from './report.ts'
import { useSealLook } from './seal.tsx'

/** One of the first steps: opens the check, which runs in this browser. */
export function CheckStep({ onPanel }: { onPanel: boolean }) {
  const [open, setOpen] = useState(false)
  const { icon, words, report } = useSealLook()
  useEffect(() => {
    if (open && report && sealOf(report) !== 'wrong') rememberCheck()
  }, [open, report])
  return (
    <>
      <button type="button" onClick={() => setOpen(true)} className={stepClass(onPanel)}>
        <StepWords
          icon={icon}
          title="Check us"
          text={report ? words : 'Recompute our last draw, compare our reserves'}
          onPanel={onPanel}
        />
      </button>
      <OpenedCheck open={open} onClose={() => setOpen(false)} />
    </>
  )
}
