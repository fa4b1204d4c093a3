import { BadgeCheck, FileCheck, ShieldAlert } from 'lucide-react'
import { type ChangeEvent, type DragEvent, useState } from 'react'
import { brand } from '../../protocol/brand.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { checkKeptFile, type Verdict } from '../../verifier/kept-files.ts'
import { browserSha256 } from './sha256.ts'

/** Checks a receipt or balance proof that the user saved, and offers an offline page that does the same. */
export function KeptFileCard({ operator }: { operator: string | null }) {
  const { text, verdict, problem, check } = useCheck(operator)

  async function drop(event: DragEvent): Promise<void> {
    const [file] = event.dataTransfer.files
    if (!file) return
    event.preventDefault()
    await check(await file.text())
  }

  async function choose(event: ChangeEvent<HTMLInputElement>): Promise<void> {
    const [file] = event.target.files ?? []
    if (file) await check(await file.text())
  }

  return (
    <Card padding="l" className="draw-near grid gap-5">
      <div>
        <h2 className="font-display text-2xl">Check a saved receipt or proof</h2>
        <p className="mt-1 text-soft">
          Every transaction in your statement has a receipt. Only the operator's key can sign it: if a single digit is
          changed, the signature no longer matches.
        </p>
        {operator && (
          <p className="mt-3 text-sm">
            <span className="text-faint">The operator's signing address</span>
            <code className="block break-all text-xs">{operator}</code>
          </p>
        )}
      </div>
      <Field label="Receipt or balance proof" hint="Paste the text, or drop the file here" error={problem}>
        {(control) => (
          <TextArea
            {...control}
            rows={5}
            spellCheck={false}
            className="font-mono text-xs!"
            value={text}
            onChange={(event) => check(event.target.value)}
            onDrop={drop}
          />
        )}
      </Field>
      <div className="flex flex-wrap items-center gap-3">
        <label
          className={`${buttonClass({ variant: 'outline', size: 's' })} cursor-pointer focus-within:outline-2 focus-within:outline-primary`}
        >
          Choose a file
          <input type="file" accept=".json,application/json" className="sr-only" onChange={choose} />
        </label>
        <a
          href="/verifier.html"
          download="wellplay-verifier.html"
          className={buttonClass({ variant: 'bare', size: 's' })}
        >
          <FileCheck size={16} aria-hidden="true" /> Offline verifier: one page, no network
        </a>
      </div>
      {verdict && <Shown verdict={verdict} />}
    </Card>
  )
}

/** Checks each text in the browser; nothing is sent. */
function useCheck(operator: string | null) {
  const [text, setText] = useState('')
  const [verdict, setVerdict] = useState<Verdict>()
  const [problem, setProblem] = useState<string>()

  async function check(given: string): Promise<void> {
    setText(given)
    setVerdict(undefined)
    setProblem(undefined)
    if (given.trim() === '') return
    try {
      setVerdict(withOperator(await checkKeptFile(given, brand.name, browserSha256), operator))
    } catch (error) {
      setProblem(error instanceof SyntaxError ? 'This is not a JSON file' : (error as Error).message)
    }
  }
  return { text, verdict, problem, check }
}

/** Anyone can make a valid signature, so the signer must be the published address. */
function withOperator(verdict: Verdict, operator: string | null): Verdict {
  if (verdict.operator === (operator ?? undefined)) return verdict
  return { ...verdict, isRight: false, problems: [...verdict.problems, 'It was not signed by the published address'] }
}

function Shown({ verdict: { title, isRight, problems, facts } }: { verdict: Verdict }) {
  return (
    <div role="status" className={`grid gap-3 rounded-inner p-5 ${isRight ? 'bg-leaf-tint' : 'bg-coral-tint'}`}>
      <p className="flex items-center gap-2 font-semibold text-lg">
        {isRight ? <BadgeCheck className="text-leaf-ink" aria-hidden="true" /> : <ShieldAlert aria-hidden="true" />}
        {isRight ? `This ${title.toLowerCase()} is valid` : `This ${title.toLowerCase()} is not valid`}
      </p>
      {problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
        {facts.map(([term, value]) => (
          <div key={term} className="min-w-0">
            <dt className="text-soft text-sm">{term.replaceAll('_', ' ')}</dt>
            <dd className="break-all font-semibold text-sm">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
