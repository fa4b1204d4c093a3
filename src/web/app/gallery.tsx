import { Heart, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { parseUsdt } from '../../protocol/money.ts'
import { Address } from '../../ui/address.tsx'
import { AmountField } from '../../ui/amount-field.tsx'
import { AnimatedMoney } from '../../ui/animated-number.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { celebrate } from '../../ui/celebration.ts'
import { Chart } from '../../ui/chart.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { Logo } from '../../ui/logo.tsx'
import { Menu, menuItemClass } from '../../ui/menu.tsx'
import { Money } from '../../ui/money.tsx'
import { Progress } from '../../ui/progress.tsx'
import { Qr } from '../../ui/qr.tsx'
import { Ring, Rings } from '../../ui/ring.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton, SkeletonText } from '../../ui/skeleton.tsx'
import { Empty, ErrorState } from '../../ui/states.tsx'
import { Pager, Table, usePages } from '../../ui/table.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { chooseTheme, type Theme } from '../../ui/theme.ts'
import { notify } from '../../ui/toast.tsx'

const week = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const points = week.map((label, day) => ({ label, value: [3, 5, 4, 8, 6, 9, 12][day] ?? 0 }))
const rows = Array.from({ length: 12 }, (_, index) => ({ number: index + 1, amount: parseUsdt(`${index * 7}.25`) }))
const address = '0x55d398326f99059fF775485246999027B3197955'

/** Shows every UI component, for developers. Development builds only. */
export function Gallery() {
  return (
    <main className="mx-auto grid max-w-6xl gap-6 p-6 pb-24">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <Logo size={44} />
        <div className="flex gap-2">
          {(['system', 'light', 'dark'] satisfies Theme[]).map((theme) => (
            <Button key={theme} size="s" variant="quiet" onClick={() => chooseTheme(theme)}>
              {theme}
            </Button>
          ))}
        </div>
      </div>
      <div className="grid gap-6 lg:grid-cols-2">
        <Buttons />
        <RingsShown />
        <Figures />
        <Forms />
        <Overlays />
        <Lists />
        <Example title="Charts">
          <Chart label="Points per day" unit="points" points={points} />
          <Chart label="Minutes per day" unit="minutes" points={points} kind="bars" tone="violet" />
        </Example>
        <Example title="States">
          <Empty title="No games yet" icon={<Heart />} action={<Button size="s">Play one</Button>}>
            Your first round will appear here.
          </Empty>
          <ErrorState title="Failed to fetch plans" onRetry={() => notify.neutral('Trying again')} />
          <Skeleton className="h-24" />
          <SkeletonText />
        </Example>
      </div>
    </main>
  )
}

function Example({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card className="grid content-start gap-5">
      <h2 className="text-xl">{title}</h2>
      {children}
    </Card>
  )
}

function Buttons() {
  return (
    <Example title="Buttons and badges">
      <div className="flex flex-wrap items-center gap-3">
        <Button size="l">Start Playing</Button>
        <Button icon={<Plus size={18} aria-hidden="true" />}>Buy plan</Button>
        <Button variant="outline">Track</Button>
        <Button variant="quiet">Cancel</Button>
        <Button variant="danger">Remove</Button>
        <Button variant="lime">Claim</Button>
        <Button variant="bare">Bare</Button>
        <Button busy>Confirming</Button>
        <Button disabled>Disabled</Button>
        <IconButton label="Like">
          <Heart size={20} />
        </IconButton>
      </div>
      <div className="flex flex-wrap gap-2">
        {(['leaf', 'lime', 'coral', 'sky', 'violet', 'gold', 'ink'] as const).map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
      </div>
      <Address address={address} />
    </Example>
  )
}

function RingsShown() {
  return (
    <Example title="Rings">
      <div className="flex flex-wrap items-center gap-6">
        <Ring value={0.68} label="Plan progress" size={120} stroke={12}>
          <span className="font-display text-2xl">68%</span>
        </Ring>
        <Rings
          rings={[
            { value: 0.9, tone: 'leaf', label: 'Activity' },
            { value: 0.6, tone: 'coral', label: 'Nutrition' },
            { value: 0.3, tone: 'violet', label: 'Mindfulness' },
          ]}
        />
        <Ring size={48} stroke={5} label="Working" />
      </div>
      <Progress value={0.65} label="Wellness Score" />
    </Example>
  )
}

function Figures() {
  const [amount, setAmount] = useState(parseUsdt('1234.567891'))
  return (
    <Card weight="lead" className="grid content-start gap-5">
      <h2 className="text-xl">Money</h2>
      <AnimatedMoney amount={amount} className="font-display text-5xl" />
      <div className="grid gap-1 text-on-panel-soft">
        <Money amount={parseUsdt('0.009')} />
        <Money amount={parseUsdt('5000')} plus />
      </div>
      <Button
        variant="lime"
        className="w-fit"
        onClick={(event) => {
          setAmount(parseUsdt('2345.5'))
          celebrate({ x: event.clientX, y: event.clientY })
        }}
      >
        Celebrate
      </Button>
    </Card>
  )
}

function Forms() {
  const [text, setText] = useState('')
  return (
    <Example title="Forms">
      <Field label="Username" hint="3 to 20 characters: a–z, 0–9 and _">
        {(control) => <TextInput {...control} placeholder="river_otter" />}
      </Field>
      <Field label="Referral code" error="This code does not exist">
        {(control) => <TextInput {...control} defaultValue="ABCD1234" />}
      </Field>
      <Field label="Source">
        {(control) => <Select {...control} options={[{ value: 'daily', label: 'Daily Rewards' }]} />}
      </Field>
      <AmountField label="Amount" value={text} onChange={setText} min={parseUsdt('10')} max={parseUsdt('512.345678')} />
    </Example>
  )
}

function Overlays() {
  const [open, setOpen] = useState(false)
  const [tab, setTab] = useState<'day' | 'week'>('day')
  return (
    <Example title="Dialog, menu, tabs, toasts, QR">
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => setOpen(true)}>Open dialog</Button>
        <Menu label="More" trigger="Menu" triggerClass="h-12 rounded-control bg-sunken px-5 font-semibold">
          <button type="button" role="menuitem" className={menuItemClass}>
            First
          </button>
          <button type="button" role="menuitem" className={menuItemClass}>
            Second
          </button>
        </Menu>
        <Button variant="quiet" onClick={() => notify.success('Page refreshed !')}>
          Success
        </Button>
        <Button variant="quiet" onClick={() => notify.error('Payment processing failed')}>
          Error
        </Button>
      </div>
      <Tabs
        label="Period"
        tabs={[
          { id: 'day', label: 'Day' },
          { id: 'week', label: 'Week' },
        ]}
        selected={tab}
        onSelect={setTab}
      >
        <p className="text-soft">The {tab} at a glance.</p>
      </Tabs>
      <Qr text={address} label="QR code of the address" />
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Confirm Re Top Up"
        actions={
          <>
            <Button variant="quiet" onClick={() => setOpen(false)}>
              Cancel
            </Button>
            <Button onClick={() => setOpen(false)}>Confirm</Button>
          </>
        }
      >
        You are about to move <Money amount={parseUsdt('25')} className="font-semibold text-ink" /> into your plan.
      </Dialog>
    </Example>
  )
}

function Lists() {
  const pages = usePages(rows)
  return (
    <Example title="Table">
      <div>
        <Table
          caption="Amounts"
          columns={[
            { header: '#', cell: (row) => row.number },
            { header: 'Amount', cell: (row) => <Money amount={row.amount} />, numeric: true },
          ]}
          rows={pages.rows}
          rowKey={(row) => String(row.number)}
          empty={<Empty title="Nothing yet" />}
        />
        <Pager page={pages.page} lastPage={pages.lastPage} onPage={pages.setPage} />
      </div>
    </Example>
  )
}
