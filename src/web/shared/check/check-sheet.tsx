import { Check, CircleHelp, TriangleAlert } from 'lucide-react'
import { useCallback, useEffect } from 'react'
import { Link } from 'react-router'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { useEvent } from '../api/events.ts'
import type { Finding } from './report.ts'
import { SealMark, useSealLook } from './seal.tsx'
import { runCheck } from './seal-store.ts'

const LINE_MS = 300

/** The check of the latest draw and of the reserves, line by line, and what it cannot show. Repeated after every draw. */
export function CheckSheet({ onClose }: { onClose: () => void }) {
  const { words, isChecking, report } = useSealLook()
  useEffect(() => void runCheck(), [])
  const onRound = useCallback((round: unknown) => {
    if ((round as { state: string }).state !== 'open') void runCheck()
  }, [])
  useEvent('round', onRound)
  const findings = report ? [report.draw, report.books] : []
  return (
    <Dialog
      open
      onClose={onClose}
      title="Check us"
      actions={
        <>
          <Link to="/trust" onClick={onClose} className={buttonClass({ variant: 'quiet' })}>
            Trust page
          </Link>
          <Button busy={isChecking} onClick={() => void runCheck()}>
            Check again
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p className="flex items-center gap-3 font-display text-ink text-xl" role="status">
          <SealMark size={56} />
          {words}
        </p>
        {report === undefined && !isChecking && <p>The check could not be loaded. Try again.</p>}
        <div className="grid min-h-60 content-start gap-4">
          {findings.map((finding, index) => (
            <Lines key={`${finding.title} ${report?.atMs}`} finding={finding} from={index * 3} />
          ))}
        </div>
        <Limits />
      </div>
    </Dialog>
  )
}

const icons = { right: Check, wrong: TriangleAlert, open: Check }

function Lines({ finding: { title, verdict, notes, gaps }, from }: { finding: Finding; from: number }) {
  const lines = [
    ...notes.map((text) => ({
      text,
      Icon: icons[verdict],
      tone: verdict === 'wrong' ? 'text-coral-ink' : 'text-leaf-ink',
    })),
    ...gaps.map((text) => ({ text, Icon: CircleHelp, tone: 'text-gold-ink' })),
  ]
  return (
    <section className="grid gap-1">
      <h3 className="animate-rise text-ink text-lg" style={{ animationDelay: `${from * LINE_MS}ms` }}>
        {title}
      </h3>
      <ul className="grid gap-1 text-sm">
        {lines.map(({ text, Icon, tone }, index) => (
          <li
            key={text}
            className="flex animate-rise gap-2"
            style={{ animationDelay: `${(from + index + 1) * LINE_MS}ms` }}
          >
            <Icon size={16} strokeWidth={3} aria-hidden="true" className={`mt-0.5 shrink-0 ${tone}`} />
            <span className="wrap-anywhere">{text}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What no check of this kind can show. */
const Limits = () => (
  <div className="grid gap-1 rounded-inner bg-sunken p-4 text-sm">
    <h3 className="font-sans! font-semibold text-ink text-sm tracking-normal!">What this cannot show</h3>
    <p>
      Whether every balance is in the total: each user checks their own on the trust page. And the chain is read through
      our server: to leave us out, look up the vault in a block explorer.
    </p>
  </div>
)
