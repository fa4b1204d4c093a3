import { type FormEvent, useState } from 'react'
import { colour } from '../../protocol/colour.ts'
import { figureText } from '../../protocol/figures.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { NumberInput } from '../../ui/number-input.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CallError, call, useRead } from '../shared/api/api.ts'
import { type Check, checkRound } from '../shared/draws/check-round.ts'
import { AsOf } from '../shared/page/as-of.tsx'
import { FailedRead } from '../shared/page/failed-read.tsx'

/** The anchors of the colour game's seeds, statistics of all draws, and a verifier for any round. */
export function FairnessCard() {
  const fairness = useRead(colour.fairness, {})
  if (fairness.isLoadingError) return <FailedRead error={fairness.error} onRetry={() => fairness.refetch()} />
  if (!fairness.data) return <Skeleton className="h-64 w-full rounded-card" />
  const { chains, rounds, colors, chi_square, measured_at } = fairness.data.data
  return (
    <Card padding="l" className="draw-near grid gap-5">
      <div>
        <h2 className="font-display text-2xl">Check any draw</h2>
        <p className="mt-1 text-soft">
          Every seed was fixed before the first round: keep hashing it and you reach the anchor below. Each draw also
          uses a block of the chain that did not exist while bets were open, so no one could choose the result.
        </p>
      </div>
      <dl className="grid gap-3 sm:grid-cols-3">
        <Fact term="Rounds drawn" value={figureText(rounds)} />
        <Fact
          term="Drawn / expected"
          value={colors.map(({ color, count, expected }) => `${color} ${count} / ${expected.toFixed(0)}`).join(' · ')}
        />
        <Fact term="Chi-square (1 in 1,000 is above 13.8)" value={chi_square.toFixed(2)} />
      </dl>
      <AsOf at={measured_at} className="text-faint text-sm" />
      {chains.map(({ anchor, first_round, length }) => (
        <p key={anchor} className="text-sm">
          <span className="text-faint">
            Anchor of rounds {figureText(first_round)} to {figureText(first_round + length - 1)}
          </span>
          <code className="block break-all text-xs">{anchor}</code>
        </p>
      ))}
      <Verifier />
    </Card>
  )
}

function Verifier() {
  const [number, setNumber] = useState('')
  const [check, setCheck] = useState<Check>()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function verify(event: FormEvent): Promise<void> {
    event.preventDefault()
    setBusy(true)
    setCheck(undefined)
    setProblem(undefined)
    try {
      const { data, chain } = await call(colour.round, { number: Number(number) })
      setCheck(await checkRound(data, { number: chain.first_round - 1, seed: chain.anchor }, true))
    } catch (error) {
      setProblem(error instanceof CallError ? error.message : 'The round could not be checked')
    }
    setBusy(false)
  }

  return (
    <form onSubmit={verify} noValidate className="grid gap-4">
      <div className="flex flex-wrap items-end gap-3">
        <div className="w-44">
          <Field label="Round" error={number === '0' ? 'Rounds start at 1' : problem}>
            {(control) => (
              <NumberInput
                {...control}
                inputMode="numeric"
                min="1"
                value={number}
                accepts={/^\d{0,9}$/}
                onText={setNumber}
              />
            )}
          </Field>
        </div>
        <Button type="submit" variant="outline" busy={isBusy} disabled={number === '' || Number(number) === 0}>
          Check this round
        </Button>
      </div>
      {check && (
        <ul
          role="status"
          className={`grid gap-1 rounded-inner p-5 ${check.verdict === 'right' ? 'bg-leaf-tint' : 'bg-coral-tint'}`}
        >
          <li className="font-semibold text-lg">
            {check.verdict === 'right' ? 'The draw is correct' : 'The draw is not correct'}
          </li>
          {check.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </form>
  )
}

const Fact = ({ term, value }: { term: string; value: string }) => (
  <div>
    <dt className="text-faint text-sm">{term}</dt>
    <dd className="figures font-semibold">{value}</dd>
  </div>
)
