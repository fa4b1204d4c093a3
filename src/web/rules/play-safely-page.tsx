import { Link } from 'react-router'
import { EXCLUSION_DAYS, LIMIT_RAISE_HOURS } from '../../protocol/colour-limits.ts'
import { chancePercent, colours, colourTable, RETURN_PERCENT } from '../../protocol/colour-odds.ts'
import { buttonClass } from '../../ui/button.tsx'
import { orText } from '../../ui/format.ts'
import { Document, List } from './document.tsx'

/** What the games cost on average, and what helps to keep them a game. */
export function PlaySafelyPage() {
  return (
    <Document
      title="Play safely"
      intro="A game is fun while you can afford to lose. These are the odds, your limits, and where to find help."
      sections={[
        { id: 'odds', title: 'What playing costs', content: <Odds /> },
        { id: 'limits', title: 'Your limits', content: <Limits /> },
        { id: 'signs', title: 'Signs to take seriously', content: <Signs /> },
        { id: 'help', title: 'Where to find help', content: <Help /> },
      ]}
    />
  )
}

const Odds = () => (
  <>
    <p>
      The quiz and the daily challenges cost nothing. The colour game is played for money. Every colour pays back{' '}
      {String(RETURN_PERCENT)}% of the stakes on average, so over time you lose {String(100n - RETURN_PERCENT)}% of
      everything you bet:
    </p>
    <List>
      {colours.map((colour) => (
        <li key={colour}>
          <span className="capitalize">{colour}</span> wins in {chancePercent(colour)} of 100 rounds and pays{' '}
          {String(colourTable[colour].pays)} times the stake.
        </li>
      ))}
    </List>
    <p>
      No round depends on the one before. A colour that has not come for a long time is not more likely to come next,
      and no way of betting changes the average.
    </p>
  </>
)

const Limits = () => (
  <>
    <List>
      <li>Set the most that you want to stake or lose in a day. Our server refuses every bet beyond it.</li>
      <li>A stricter limit takes effect immediately, a looser one after {LIMIT_RAISE_HOURS} hours.</li>
      <li>
        Take a break of {orText(EXCLUSION_DAYS)} days. It begins immediately, and no one can shorten it, not even our
        support. The money in your bet wallet stays yours, and you can move it out.
      </li>
      <li>After each hour of play we remind you how long you have played and what you have won or lost.</li>
    </List>
    <Link to="/user/color-game" className={`${buttonClass({ variant: 'outline' })} justify-self-start`}>
      Set my limits
    </Link>
  </>
)

const Signs = () => (
  <List>
    <li>You bet to win back what you lost.</li>
    <li>You play with money that you need for something else, or that you borrowed.</li>
    <li>You hide how much you play from people close to you.</li>
    <li>You think about playing when you should sleep, work or be with others.</li>
  </List>
)

const Help = () => (
  <>
    <p>
      If one of these sounds like you, take a break and talk to someone. Gambling Therapy is free and answers in many
      languages.
    </p>
    <p>
      <a className="font-semibold underline" href="https://www.gamblingtherapy.org" target="_blank" rel="noreferrer">
        gamblingtherapy.org
      </a>
    </p>
    <p>The games with money are for adults only. Do not let children use your wallet or your device while signed in.</p>
  </>
)
