import { CircleAlert, CircleCheck, FileUp, ShieldCheck } from 'lucide-react'
import { type DragEvent, useId, useState } from 'react'
import { figureText } from '../../protocol/figures.ts'
import type { Day } from '../../protocol/time.ts'
import type { Gain } from '../../protocol/wellness.ts'
import { IMPORT_YEARS_MAX } from '../../protocol/wellness-day.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Progress } from '../../ui/progress.tsx'
import type { ImportResult } from './import/totals.ts'
import { sourceNames } from './pillars.ts'
import { type ImportState, useImport } from './use-import.ts'

type ImportCardProps = { today: Day; onGain: (gain: Gain, message: string) => void }

/** Imports steps and workouts from a phone's export. The file never leaves the browser: only daily totals are sent. */
export function ImportCard({ today, onGain }: ImportCardProps) {
  const { state, choose, send, stop, reset } = useImport(today, onGain)
  return (
    <Card className="grid gap-4" aria-label="Import">
      <div>
        <h2 className="text-xl">Import your steps</h2>
        <p className="mt-1 text-soft">
          Apple Health (export.zip or export.xml), Google Fit and Health Connect (CSV), or a GPX track.
        </p>
      </div>
      <Body state={state} choose={choose} send={send} stop={stop} reset={reset} />
      <p className="flex items-start gap-2 text-faint text-sm">
        <ShieldCheck size={17} aria-hidden="true" className="mt-0.5 shrink-0" />
        The file is read in your browser and stays there. Only daily totals are sent, marked with their source.
      </p>
    </Card>
  )
}

type BodyProps = { state: ImportState } & Omit<ReturnType<typeof useImport>, 'state'>

function Body({ state, choose, send, stop, reset }: BodyProps) {
  if (state.step === 'reading')
    return <Working label={`Reading ${state.name}`} share={state.share} action={{ text: 'Stop', run: stop }} />
  if (state.step === 'sending') return <Working label="Importing your days" share={state.share} />
  if (state.step === 'found') return <Found result={state.result} onSend={send} onReset={reset} />
  return (
    <>
      {state.step === 'refused' && (
        <p role="alert" className="flex items-start gap-2.5 rounded-inner bg-coral-tint p-4 text-coral-ink">
          <CircleAlert size={20} aria-hidden="true" className="mt-0.5 shrink-0" />
          {state.message}
        </p>
      )}
      {state.step === 'done' && (
        <p role="status" className="flex items-start gap-2.5 rounded-inner bg-leaf-tint p-4 text-leaf-ink">
          <CircleCheck size={20} aria-hidden="true" className="mt-0.5 shrink-0" />
          {importedText(state)}
        </p>
      )}
      <FilePicker onFile={choose} />
    </>
  )
}

function importedText({ days, added }: { days: number; added: number }): string {
  if (added === 0) return days === 1 ? 'This day was already imported.' : `All ${days} days were already imported.`
  return `${days} ${days === 1 ? 'day' : 'days'} imported, ${added} new ${added === 1 ? 'entry' : 'entries'}.`
}

function FilePicker({ onFile }: { onFile: (file: File) => void }) {
  const id = useId()
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file) onFile(file)
  }
  return (
    <label
      htmlFor={id}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={`grid cursor-pointer justify-items-center gap-2 rounded-inner border-2 border-dashed px-4 py-7 text-center transition has-focus-visible:outline-2 has-focus-visible:outline-primary ${over ? 'border-primary bg-leaf-tint' : 'border-line hover:border-line-strong'}`}
    >
      <FileUp size={26} aria-hidden="true" className="text-primary" />
      <span className="font-semibold">Choose an export file</span>
      <span className="text-faint text-sm">or drop it here</span>
      <input
        id={id}
        type="file"
        accept=".zip,.xml,.csv,.gpx"
        className="sr-only"
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) onFile(file)
        }}
      />
    </label>
  )
}

type WorkingProps = { label: string; share: number; action?: { text: string; run: () => void } }

function Working({ label, share, action }: WorkingProps) {
  return (
    <div className="grid gap-3 rounded-inner bg-sunken p-4" role="status">
      <div className="flex items-center justify-between gap-3">
        <p className="min-w-0 truncate font-semibold">{label}</p>
        <p className="figures text-soft">{Math.round(share * 100)}%</p>
      </div>
      <Progress value={share} label={label} />
      {action && (
        <Button size="s" variant="bare" className="w-fit" onClick={action.run}>
          {action.text}
        </Button>
      )}
    </div>
  )
}

type FoundProps = { result: ImportResult; onSend: (result: ImportResult) => void; onReset: () => void }

function Found({ result, onSend, onReset }: FoundProps) {
  const { days, source, skipped } = result
  const [newest, oldest] = [days[0]?.day, days.at(-1)?.day]
  const steps = days.reduce((sum, day) => sum + day.steps, 0)
  const minutes = days.reduce((sum, day) => sum + day.workout_minutes, 0)
  const notes = [
    skipped.outside > 0 && `${skipped.outside} days are older than ${IMPORT_YEARS_MAX} years or in the future`,
    skipped.implausible > 0 && `${skipped.implausible} days have impossibly high totals`,
    skipped.unreadable > 0 && `${figureText(skipped.unreadable)} records could not be read`,
  ].filter((note) => note !== false)
  return (
    <div className="grid gap-4 rounded-inner bg-sunken p-4">
      <div className="grid gap-1">
        <p className="font-semibold">
          {sourceNames[source]}: {days.length} {days.length === 1 ? 'day' : 'days'}
        </p>
        <p className="figures text-soft">
          {newest === oldest ? newest : `${oldest} to ${newest}`} · {figureText(steps)} steps · {figureText(minutes)}{' '}
          min of workouts
        </p>
        {notes.length > 0 && <p className="text-faint text-sm">Skipped: {notes.join('; ')}.</p>}
      </div>
      <div className="flex gap-3">
        <Button onClick={() => onSend(result)}>Import</Button>
        <Button variant="quiet" onClick={onReset}>
          Cancel
        </Button>
      </div>
    </div>
  )
}
