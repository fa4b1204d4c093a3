import { brand } from '../../protocol/brand.ts'
import { Card } from '../../ui/card.tsx'
import { refreshDetails } from '../shared/money/details.ts'
import { MoneyActions } from '../shared/money/money-actions.tsx'

const refreshNow = () => void refreshDetails()

type Box = { x: number; y: number; width: number; name: string; note: string; isMain?: boolean }
const HEIGHT = 54
const boxes: Box[] = [
  { x: 2, y: 2, width: 356, name: 'Your wallet', note: 'on chain, only you have the key' },
  { x: 2, y: 126, width: 168, name: 'Wallet balance', note: 'ready to use', isMain: true },
  { x: 192, y: 126, width: 166, name: 'Rewards', note: 'daily and referral' },
  { x: 2, y: 250, width: 108, name: 'Bet wallet', note: 'for the game' },
  { x: 192, y: 250, width: 166, name: 'Plans', note: 'locked for the term' },
]

type Arrow = { path: string; label: string; x: number; y: number; isBothWays?: boolean }
const arrows: Arrow[] = [
  { path: 'M20 58V122', label: 'Add money', x: 27, y: 95 },
  { path: 'M112 124V60', label: 'Withdraw', x: 119, y: 95 },
  { path: 'M262 124V60', label: 'Withdraw', x: 269, y: 95 },
  { path: 'M20 183V247', label: 'Move', x: 27, y: 219, isBothWays: true },
  { path: 'M126 183V277H189', label: 'Buy, back', x: 132, y: 219, isBothWays: true },
  { path: 'M210 248V184', label: 'Daily', x: 217, y: 219 },
  { path: 'M284 182V246', label: 'Re top up', x: 291, y: 219 },
]

const summary = `How money flows. You add money from your wallet to your wallet balance and withdraw it again. From the balance
you move money to the bet wallet and back, or buy a plan. A plan pays rewards every day and returns to the balance when
its term ends. You withdraw rewards or top up a plan with them.`

/** Explains the accounts once, beside the buttons that move money between them. */
export const MoneyFlow = () => (
  <Card padding="l" className="grid items-center gap-6 wide:grid-cols-2 wide:gap-10" aria-label="How your money moves">
    <div className="grid gap-5">
      <div className="grid gap-2">
        <h2 className="text-2xl">How your money moves</h2>
        <p className="text-soft">
          Your wallet balance is in the middle: what you add arrives there, and you use it for everything in{' '}
          {brand.name}. Plans lock it and pay it back there when the term ends. Rewards add up until you withdraw or
          reinvest them.
        </p>
      </div>
      <MoneyActions onChange={refreshNow} />
    </div>
    <Picture />
  </Card>
)

const Picture = () => (
  <svg viewBox="0 0 360 306" role="img" aria-label={summary} className="mx-auto w-full max-w-[460px]">
    <defs>
      <marker
        id="flow-head"
        viewBox="0 0 8 8"
        refX="6"
        refY="4"
        markerWidth="7"
        markerHeight="7"
        orient="auto-start-reverse"
      >
        <path d="M1 1L7 4L1 7" className="fill-none stroke-leaf" strokeWidth="1.6" strokeLinecap="round" />
      </marker>
    </defs>
    {arrows.map(({ path, label, x, y, isBothWays }) => (
      <g key={path}>
        <path
          d={path}
          className="fill-none stroke-leaf"
          strokeWidth="2"
          strokeLinejoin="round"
          markerEnd="url(#flow-head)"
          {...(isBothWays && { markerStart: 'url(#flow-head)' })}
        />
        <text x={x} y={y} className="fill-soft font-medium text-[13px]">
          {label}
        </text>
      </g>
    ))}
    {boxes.map(({ x, y, width, name, note, isMain }) => (
      <g key={name}>
        <rect
          x={x}
          y={y}
          width={width}
          height={HEIGHT}
          rx="16"
          className={isMain ? 'fill-leaf-tint stroke-leaf' : 'fill-sunken stroke-line'}
          strokeWidth="1.5"
        />
        <text x={x + 14} y={y + 23} className="fill-ink font-semibold text-[15px]">
          {name}
        </text>
        <text x={x + 14} y={y + 41} className="fill-soft text-[12px]">
          {note}
        </text>
      </g>
    ))}
  </svg>
)
