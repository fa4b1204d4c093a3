import { Download } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { balance } from '../../protocol/balance.ts'
import { records } from '../../protocol/records.ts'
import type { InputOf, OutputOf, Route } from '../../protocol/route.ts'
import { users } from '../../protocol/users.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { notify } from '../../ui/toast.tsx'
import { call } from '../shared/api/api.ts'
import { saveJson } from '../shared/page/save-file.ts'

/** Saves what is stored about the user as one file. */
export function DataExport() {
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      saveJson('wellplay-my-data.json', await collect())
      notify.success('Your data was saved to your downloads')
    } catch (error) {
      notify.error(error instanceof Error ? error.message : 'The export failed. Please try again.')
    }
    setBusy(false)
  }
  return (
    <Card weight="quiet" id="your-data" className="grid scroll-mt-24 gap-3">
      <h2 className="text-xl">Your data</h2>
      <p className="text-soft">
        What we store about you in one file: profile, balances, and your records from activities to withdrawals, without
        secrets and data about other people. The file also names the tables that are left out, and why. We delete
        sign-ins after a year, daily totals after a month, and your leaves in old snapshots after a week.
      </p>
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
  const [profile, details] = await Promise.all([asSent(users.me, {}), asSent(balance.details, {})])
  const { stored, withheld } = await collectRecords()
  return {
    exported_at: new Date().toISOString(),
    profile,
    details,
    about_records: 'Rows as they are stored, by table. Amounts of money are in millionths of a USDT.',
    records: stored,
    about_withheld: 'Tables with rows about you of which all or a part is not in this file, and why.',
    withheld,
  }
}

async function collectRecords() {
  const stored: Record<string, unknown[]> = {}
  for (let from: OutputOf<typeof records.list>['next'] = null; ; ) {
    const page: OutputOf<typeof records.list> = await call(records.list, from ? { from } : {})
    for (const [table, rows] of Object.entries(page.data)) stored[table] = [...(stored[table] ?? []), ...rows]
    if (page.next === null) return { stored, withheld: page.withheld }
    from = page.next
  }
}

/** Encodes the reply as it was sent: amounts as decimal strings, times as ISO strings. */
async function asSent<R extends Route>(route: R, input: InputOf<R>): Promise<unknown> {
  const { data } = z.encode(route.output, (await call(route, input)) as never) as { data: unknown }
  return data
}
