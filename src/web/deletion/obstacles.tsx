import { Link } from 'react-router'
import { type Obstacle, obstacleWords } from '../../protocol/deletion.ts'
import { amountText, dateText } from '../../ui/format.ts'
import type { Preview } from './use-deletion.ts'

/** Where the user can settle it. Some obstacles only end with time. */
const ways: Partial<Record<Obstacle, { to: string; label: string }>> = {
  frozen: { to: '/user/healthsupport', label: 'Write to support' },
  plan: { to: '/user/plans', label: 'See your plans' },
  reward: { to: '/user/withdrawal', label: 'Withdraw' },
  referral: { to: '/user/withdrawal', label: 'Withdraw' },
  wallet: { to: '/user/withdrawal', label: 'Withdraw' },
  bet: { to: '/user/balance', label: 'Move it' },
  withdrawal: { to: '/user/withdrawal-history', label: 'Follow it' },
  open_bet: { to: '/user/color-game', label: 'See the round' },
  payment: { to: '/user/balance', label: 'Follow it' },
  held: { to: '/user/referal', label: 'See what is on hold' },
  royalty: { to: '/user/referal', label: 'Claim it' },
  support: { to: '/user/healthsupport', label: 'See your request' },
}

type ObstaclesProps = { obstacles: Preview['obstacles']; onLeave: () => void }

export const Obstacles = ({ obstacles, onLeave }: ObstaclesProps) => (
  <div className="grid gap-3">
    <p className="font-semibold text-ink">Settle this first:</p>
    <ul className="grid gap-3">
      {obstacles.map(({ obstacle, amount, until }) => {
        const way = ways[obstacle]
        return (
          <li key={obstacle} className="grid gap-1 rounded-inner bg-sunken p-4">
            <span className="text-ink">{obstacleWords[obstacle]}</span>
            {(until || (amount !== null && obstacle !== 'support')) && (
              <span className="figures text-sm">
                {[
                  amount !== null && obstacle !== 'support' && `${amountText(amount)} USDT`,
                  until && `until ${dateText(until)}`,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            )}
            {way && (
              <Link
                to={way.to}
                onClick={onLeave}
                className="w-fit py-1 font-semibold text-primary underline underline-offset-4"
              >
                {way.label}
              </Link>
            )}
          </li>
        )
      })}
    </ul>
  </div>
)
