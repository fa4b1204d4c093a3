import { useEffect, useState } from 'react'
import { OpenedCheck } from '../shared/check/opened-check.tsx'
import { SealMark, useSealLook } from '../shared/check/seal.tsx'
import { runCheck } from '../shared/check/seal-store.ts'
import { HeroCheckFrame } from './hero-words.tsx'
import { loadCallsLater } from './quiet.ts'

/** The check of the latest draw and of the reserves. It runs once the page is quiet, and opens line by line on a tap. */
export function HeroCheck() {
  const [open, setOpen] = useState(false)
  const { words, report } = useSealLook()
  useEffect(() => {
    let isWanted = true
    void loadCallsLater().then(() => (isWanted ? runCheck() : undefined))
    return () => {
      isWanted = false
    }
  }, [])
  return (
    <>
      <button type="button" onClick={() => setOpen(true)} className="w-full rounded-[20px] text-left">
        <HeroCheckFrame mark={<SealMark size={52} />} title={report ? words : undefined}>
          {report && (
            <>
              <span className="block truncate">{report.draw.title}</span>
              <span className="block truncate">{report.books.title}</span>
            </>
          )}
        </HeroCheckFrame>
      </button>
      <OpenedCheck open={open} onClose={() => setOpen(false)} />
    </>
  )
}
