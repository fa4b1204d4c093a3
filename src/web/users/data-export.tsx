import { Download } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { balance, userAccounts } from '../../protocol/balance.ts'
import type { InputOf, Route } from '../../protocol/route.ts'
import { users } from '../../protocol/users.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { notify } from '../../ui/toast.tsx'
import { call } from '../shared/api/api.ts'

/** Exports the account's data as one file. */
export function DataExport() {
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      download('wellplay-my-data.json', JSON.stringify(await collect(), null, 2))
      notify.success('Your data was saved to your downloads')
    } catch (error) {
      notify.error(error instanceof Error ? error.message : 'The export failed. Please try again.')
    }
    setBusy(false)
  }
  return (
    <Card weight="quiet" className="grid gap-3">
      <h2 className="text-xl">Your data</h2>
      <p className="text-soft">Your profile, balances, plans, sessions and full account history in one file.</p>
      <Button
        variant="outline"
        className="w-fit"
        busy={busy}
        icon={<Download size={17} aria-hidden="true" />}
        onClick={save}
      >
        Export my data
      </Button>
    </Card>
  )
}

async function collect() {
  const [profile, details, sessions] = await Promise.all([
    asSent(users.me, {}),
    asSent(balance.details, {}),
    asSent(users.sessions, {}),
  ])
  const movements: Record<string, unknown[]> = {}
  for (const account of userAccounts) movements[account] = await listMovements(account)
  return { exported_at: new Date().toISOString(), profile, details, sessions, movements }
}

async function listMovements(account: (typeof userAccounts)[number]): Promise<unknown[]> {
  const rows: { number: number }[] = []
  for (let page_no = 1; ; page_no++) {
    const page = await call(balance.statement, { account, page_no })
    // A movement posted meanwhile moves all others down: skip those that the last page had already.
    const last = rows.at(-1)?.number ?? Number.POSITIVE_INFINITY
    rows.push(...z.encode(balance.statement.output, page).data.filter(({ number }) => number < last))
    if (page_no * page.page_size >= page.total) return rows
  }
}

/** Encodes the reply as it was sent: amounts as decimal strings, times as ISO strings. */
async function asSent<R extends Route>(route: R, input: InputOf<R>): Promise<unknown> {
  const { data } = z.encode(route.output, (await call(route, input)) as never) as { data: unknown }
  return data
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = document.createElement('a')
  Object.assign(link, { href: url, download: name })
  link.click()
  URL.revokeObjectURL(url)
}
