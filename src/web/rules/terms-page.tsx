import { Link } from 'react-router'
import { RETURN_PERCENT } from '../../protocol/colour-odds.ts'
import { TERMS_NOTICE_HOURS, type Terms } from '../../protocol/terms.ts'
import { announcementLine } from '../../protocol/terms-words.ts'
import { moneyText, percentText } from '../../ui/format.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Table } from '../../ui/table.tsx'
import { FailedRead } from '../shared/page/failed-read.tsx'
import { useTerms } from '../shared/terms/use-terms.ts'
import { Document, List, type Section } from './document.tsx'

/** The rules of the product. Every figure is read from the terms in force, so the page cannot be out of date. */
export function TermsPage() {
  const { terms, announced, error, refetch } = useTerms()
  const changes = announced.flatMap((each) => each.changes.map((change) => announcementLine(each, change)))
  const notice = error ? <FailedRead error={error} onRetry={refetch} /> : <Skeleton className="h-96 rounded-card" />
  return (
    <Document
      title="Terms"
      intro="The rules, in plain words, with the figures that apply right now."
      notice={terms ? undefined : notice}
      sections={
        terms ? [who, plans(terms), rewards(terms), moneyOut(terms), games(terms), changing(changes), limits] : []
      }
    />
  )
}

const usdt = (amount: Terms['planAmountMin']) => `${moneyText(amount)} USDT`

const who: Section = {
  id: 'who',
  title: 'Who can take part',
  content: (
    <List>
      <li>
        Adults, in places where this is allowed. Before your first bet or plan you confirm your age and, where we have
        to ask, the country you live in. Getting your money out never depends on that.
      </li>
      <li>One person, one account. Accounts that fund each other to collect rewards are held back.</li>
      <li>Your wallet is your identity. Keep its keys safe: we cannot restore them.</li>
    </List>
  ),
}

const plans = ({ tiers, planAmountMin, planAmountMax }: Terms): Section => ({
  id: 'plans',
  title: 'Plans',
  content: (
    <>
      <p>
        A plan locks USDT for a term and earns a daily reward. You can hold from {usdt(planAmountMin)} to{' '}
        {usdt(planAmountMax)} in plans.
      </p>
      <Table
        caption="Plans"
        rows={tiers}
        rowKey={({ name }) => name}
        empty={null}
        columns={[
          { header: 'Plan', cell: ({ name }) => name },
          { header: 'From', numeric: true, cell: ({ from }) => moneyText(from) },
          { header: 'A day', numeric: true, cell: ({ dailyRatePpm }) => percentText(dailyRatePpm) },
          { header: 'Term', numeric: true, cell: ({ termDays }) => `${termDays} days` },
        ]}
      />
      <List>
        <li>You get the money in a plan back when its term ends, not before. It then moves to your wallet balance.</li>
        <li>A plan keeps its rate and its term, whatever we change later.</li>
        <li>Nothing can move the money in a plan to anyone but you.</li>
      </List>
    </>
  ),
})

const rewards = (terms: Terms): Section => ({
  id: 'rewards',
  title: 'Rewards',
  content: (
    <List>
      <li>
        Rewards are paid only from the operator’s own money, never from deposits. They are not guaranteed: if a pool is
        empty, rewards wait until it is funded again.
      </li>
      <li>Daily rewards count UTC days. {String(terms.healthSharePercent)}% more goes to your health balance.</li>
      <li>
        If someone you invited buys a plan, you and the members above you earn{' '}
        {terms.uplinePercents.map((percent) => `${percent}%`).join(', ')} of it, level by level.
      </li>
      <li>
        Referral rewards can be reinvested at once, and withdrawn or transferred {terms.referralMatureDays} days after
        you earned them.
      </li>
    </List>
  ),
})

const moneyOut = (terms: Terms): Section => ({
  id: 'withdrawals',
  title: 'Withdrawals and transfers',
  content: (
    <List>
      <li>
        A withdrawal is at least {usdt(terms.withdrawalMin)} and costs {String(terms.withdrawalFeePercent)}%. At most{' '}
        {usdt(terms.outflowDailyMax)} can leave an account in a day.
      </li>
      <li>
        Up to {usdt(terms.withdrawalAutomaticMax)} each and {usdt(terms.withdrawalAutomaticDailyMax)} a day, withdrawals
        go out without an operator. Larger ones wait for one.
      </li>
      <li>
        You can send {usdt(terms.transferMin)} to {usdt(terms.transferMax)} to another user. New recipients, and more
        than {usdt(terms.transferUnsignedDailyMax)} a day, need a signature by your wallet.
      </li>
      <li>Payments on the chain and transfers to other users are final. No one can reverse them.</li>
    </List>
  ),
})

const games = (terms: Terms): Section => ({
  id: 'games',
  title: 'Games',
  content: (
    <List>
      <li>
        In the colour game you bet {usdt(terms.colourBetMin)} to {usdt(terms.colourBetMax)}. Every colour pays back{' '}
        {String(RETURN_PERCENT)}% on average. <Link to="/play-safely">Play safely</Link> has the odds.
      </li>
      <li>A bet is final when we confirm it. If a round has no result in time, every stake is refunded.</li>
      <li>The quiz, the challenges and their points have no money value.</li>
    </List>
  ),
})

const changing = (changes: string[]): Section => ({
  id: 'changes',
  title: 'Changes',
  content: (
    <>
      <p>
        Figures can change. Two operators must sign a change, and it is announced here and on the pages it concerns at
        least {TERMS_NOTICE_HOURS} hours before it takes effect.
      </p>
      {changes.length === 0 ? (
        <p>No change is announced.</p>
      ) : (
        <List>
          {changes.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </List>
      )}
    </>
  ),
})

const limits: Section = {
  id: 'limits',
  title: 'What we can and cannot do',
  content: (
    <List>
      <li>We pause payouts and bets when a check of our books fails. The page says why, and nothing is lost.</li>
      <li>
        Two operators together can freeze an account or hold rewards back if there are signs of fraud. You see it, and
        you can appeal on Health Support.
      </li>
      <li>
        You do not have to believe us: the <Link to="/trust">trust page</Link> compares what we hold with what we owe,
        and lets your browser check your own balance.
      </li>
    </List>
  ),
}
