import { BadgeCheck, ShieldAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { figureText } from '../../protocol/figures.ts'
import type { Id } from '../../protocol/ids.ts'
import { micro } from '../../protocol/money.ts'
import { trust } from '../../protocol/trust.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { dateTimeText } from '../../ui/format.ts'
import { Money } from '../../ui/money.tsx'
import { CallError, call } from '../shared/api/api.ts'
import { useStoredUser } from '../shared/api/use-stored-user.ts'
import { AsOf } from '../shared/page/as-of.tsx'
import { saveJson } from '../shared/page/save-file.ts'
import { checkProof, type Proof, type ProofResult } from './check-proof.ts'
import { keepProof } from './kept-proof.ts'

type Published = { id: Id<'snapshot'>; epoch: number; root: string; total: bigint; taken_at: Date; users: number }
type Checked = { proof: Proof; result: ProofResult }

const paceText = (minutes: number): string => (minutes === 60 ? 'Every hour' : `Every ${minutes} minutes`)

type ProofCardProps = { snapshot: Published | null; everyMinutes: number }

/** The latest snapshot, and the proof of the user's balance in it, checked in the browser. */
export function ProofCard({ snapshot, everyMinutes }: ProofCardProps) {
  const user = useStoredUser()
  const [checked, setChecked] = useState<Checked>()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function prove(published: Published): Promise<void> {
    setBusy(true)
    try {
      // A newer snapshot may have been taken since this page loaded, so ask for a proof in the one shown here.
      const { data: proof } = await call(trust.proof, { snapshot: published.id })
      const result = await checkProof(proof, published)
      if (result.isProven) keepProof(proof)
      setChecked({ proof, result })
      setProblem(undefined)
    } catch (error) {
      setChecked(undefined)
      setProblem(error instanceof CallError ? error.message : 'The proof could not be checked')
    }
    setBusy(false)
  }

  return (
    <Card padding="l" className="draw-near grid gap-5">
      <div>
        <h2 className="font-display text-2xl">Check your own balance</h2>
        <p className="mt-1 text-soft">
          {paceText(everyMinutes)}, we publish the root of a Merkle tree of all balances in the vault, on chain. Your
          browser recomputes the path from your balances to that root: a single changed digit would lead elsewhere. Save
          your proof once: its key opens your balances in every later tree, and the trees are public.
        </p>
      </div>
      {snapshot ? (
        <dl className="grid gap-3 sm:grid-cols-3">
          <Entry term="Taken">
            {dateTimeText(snapshot.taken_at)}
            <AsOf at={snapshot.taken_at} className="block text-faint text-sm" />
          </Entry>
          <Entry term={`Balances of ${figureText(snapshot.users)} ${snapshot.users === 1 ? 'person' : 'people'}`}>
            <Money amount={micro(snapshot.total)} />
            <span className="block text-faint text-sm">with open stakes and withdrawals in progress</span>
          </Entry>
          <Entry term={`Root of epoch ${snapshot.epoch}`}>
            <code className="break-all text-xs">{snapshot.root}</code>
          </Entry>
        </dl>
      ) : (
        <p className="rounded-control bg-sunken px-4 py-3 text-soft">We'll publish the first root within a minute.</p>
      )}
      {snapshot &&
        (user ? (
          <Button className="w-fit" busy={isBusy} onClick={() => prove(snapshot)}>
            Check my balance
          </Button>
        ) : (
          <Link to="/login/register" className={`${buttonClass({ variant: 'outline' })} w-fit`}>
            Sign in to check yours
          </Link>
        ))}
      {problem && (
        <p role="alert" className="text-coral-ink">
          {problem}
        </p>
      )}
      {checked && <Verdict {...checked} />}
    </Card>
  )
}

function Verdict({ proof, result }: Checked) {
  const own = micro(proof.leaf.balances.reduce((sum, { amount }) => sum + amount, 0n))
  return (
    <div role="status" className={`grid gap-3 rounded-inner p-5 ${result.isProven ? 'bg-leaf-tint' : 'bg-coral-tint'}`}>
      <p className="flex items-center gap-2 font-semibold text-lg">
        {result.isProven ? (
          <BadgeCheck className="text-leaf-ink" aria-hidden="true" />
        ) : (
          <ShieldAlert aria-hidden="true" />
        )}
        {result.isProven ? 'Your balance is in the published total' : 'This proof does not match the published root'}
      </p>
      <p className="text-soft">
        Your proof is in root {proof.snapshot.epoch}. Your leaf holds <Money amount={own} />. In {proof.siblings.length}{' '}
        steps, your browser computed this root:
      </p>
      <code className="break-all text-xs">{result.root}</code>
      <Button variant="outline" size="s" className="w-fit" onClick={() => download(proof)}>
        Save the proof
      </Button>
    </div>
  )
}

const Entry = ({ term, children }: { term: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-faint text-sm">{term}</dt>
    <dd className="font-semibold">{children}</dd>
  </div>
)

const download = (proof: Proof): void =>
  saveJson(`wellplay-proof-${proof.snapshot.taken_on}.json`, z.encode(trust.proof.output.shape.data, proof))
