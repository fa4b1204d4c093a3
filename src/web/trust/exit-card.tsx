import { DoorOpen, Download } from 'lucide-react'
import { brand } from '../../protocol/brand.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { NOTICE_AFTER_SECONDS, OPEN_AFTER_SECONDS } from '../../verifier/vault-state.ts'

const noticeDays = Number(NOTICE_AFTER_SECONDS) / 86_400
const openHours = Number(OPEN_AFTER_SECONDS) / 3_600

/** How users get their money if we go silent, and the page that does it. `epoch` is of the last public tree. */
export function ExitCard({ epoch, mirrors }: { epoch: number | undefined; mirrors: string[] }) {
  return (
    <Card padding="l" className="draw-near grid gap-5">
      <div>
        <h2 className="font-display text-2xl">If we ever go silent</h2>
        <p className="mt-1 text-soft">
          Your USDT is in a vault on chain, not in our bank account. If we stop publishing roots, you can withdraw your
          share without us. Prepare once, today:
        </p>
      </div>
      <ol className="grid list-decimal gap-2 pl-6">
        <li>Save your proof: press "Check my balance" above, then "Save the proof". One proof is enough.</li>
        <li>Save the exit page below. It's one file, and it works when {brand.name} is gone.</li>
        <li>
          After {noticeDays} days without a root, open the page and give notice. {openHours} hours later, open the
          exits. Any user can do this for everyone.
        </li>
        <li>
          Choose your proof, connect your wallet and withdraw. If your proof is older than the last root, the page asks
          for that root's tree file. Anyone can keep copies of these files.
        </li>
      </ol>
      <div className="flex flex-wrap gap-3">
        <a href="/exit.html" download="wellplay-exit.html" className={buttonClass({ variant: 'outline', size: 's' })}>
          <DoorOpen size={16} aria-hidden="true" /> Save the exit page
        </a>
        {epoch !== undefined && (
          <a href={`/api/trust/tree/${epoch}`} download className={buttonClass({ variant: 'bare', size: 's' })}>
            <Download size={16} aria-hidden="true" /> Tree file of root {epoch}
          </a>
        )}
      </div>
      <Mirrors urls={mirrors} />
      <NotPromised />
    </Card>
  )
}

function Mirrors({ urls }: { urls: string[] }) {
  if (urls.length === 0)
    return (
      <p className="text-soft">
        We don't know of copies of the tree files outside our servers yet. A file that you saved helps only if no root
        came after it. A mirror keeps every new one: run <code>npm run mirror</code> from our source.
      </p>
    )
  return (
    <section aria-labelledby="mirrors" className="grid gap-2">
      <h3 id="mirrors" className="font-semibold">
        Others keep copies of the tree files
      </h3>
      <ul className="grid list-disc gap-1 pl-5">
        {urls.map((url) => (
          <li key={url}>
            <a href={url} target="_blank" rel="noreferrer" className="wrap-anywhere underline underline-offset-4">
              {url}
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function NotPromised() {
  return (
    <section aria-labelledby="not-promised" className="grid gap-2 rounded-inner bg-sunken p-5">
      <h3 id="not-promised" className="font-semibold text-lg">
        What the vault does not promise
      </h3>
      <ul className="grid list-disc gap-2 pl-5 text-soft">
        <li>
          We could publish a wrong root. The users whose balances are wrong can see it here. If silence follows, the
          wrong root decides who gets the money, unless the guardian takes it back in time. The guardian's key is held
          by someone other than us.
        </li>
        <li>Exits don't cover deposits after the last root, or transfers to the vault after exits open.</li>
        <li>There's no defence against all keys together, if the guardian's is among them.</li>
        <li>
          The sum of each user's balances is public with every root, without a name. It may be matched with amounts on
          chain.
        </li>
        <li>
          There are no exits while {brand.name} runs. Otherwise a user could spend money here and withdraw it with an
          older proof.
        </li>
      </ul>
    </section>
  )
}
