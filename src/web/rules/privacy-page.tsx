import { Link } from 'react-router'
import { keptReasons } from '../../protocol/deletion.ts'
import { Document, List } from './document.tsx'

/** What we store about users, for how long, and who can see it. */
export function PrivacyPage() {
  return (
    <Document
      title="Privacy"
      intro="We store what the product needs to work, and show it to you. We sell nothing, and no other company’s scripts run on our pages."
      sections={[
        { id: 'stored', title: 'What we store', content: <Stored /> },
        { id: 'kept', title: 'How long', content: <Kept /> },
        { id: 'seen', title: 'Who can see it', content: <Seen /> },
        { id: 'browser', title: 'In your browser', content: <Browser /> },
        { id: 'deletion', title: 'Deleting your account', content: <Deletion /> },
        { id: 'rights', title: 'Your rights', content: <Rights /> },
      ]}
    />
  )
}

const Stored = () => (
  <>
    <List>
      <li>Your wallet address, your username, and who invited you. We do not ask for your name or phone number.</li>
      <li>
        Your news, and where you want to get it. We have an e-mail address, a Telegram chat or the push address of a
        browser only if you add it.
      </li>
      <li>That you confirmed your age, when, and the country you live in if we had to ask.</li>
      <li>Your payments, plans, rewards, transfers, withdrawals and bets: every movement of money.</li>
      <li>
        Your time zone, and what you log about your day: steps, meals, rest, breathing. Quiz games and their scores.
      </li>
      <li>What you write to support, and our answers.</li>
      <li>For each sign-in, the name of the browser, the time, and a key that stays on your device.</li>
    </List>
    <p>
      We count requests from a network for one minute, under a hash, to stop abuse. We do not store your network address
      in our database.
    </p>
  </>
)

const Kept = () => (
  <List>
    <li>Movements of money are kept as long as the product exists: the books must be complete to be checked.</li>
    <li>
      Your records, points and messages are kept as long as you have an account. <a href="#deletion">Deleting it</a>{' '}
      deletes them at once.
    </li>
    <li>News is deleted after half a year.</li>
    <li>An e-mail address, a Telegram chat or a push address is deleted when you turn that channel off.</li>
    <li>
      Your browser remembers the wallet you used last, also after you sign out: its name and a shortened address. Clear
      the data of this site in your browser to remove it.
    </li>
    <li>Sign-ins are deleted after a year, one-time numbers for signing in within an hour.</li>
    <li>Games that you play without an account are deleted after three days, unless you keep one by signing up.</li>
  </List>
)

const Seen = () => (
  <List>
    <li>
      People you invited, and the person who invited you, can see your username and the figures of the team. If you join
      the friends’ board, those who joined too can see your week.
    </li>
    <li>Leaderboards show your username and your points.</li>
    <li>
      A card that you share shows your username and the figures on it to everyone with its link, until you remove it.
    </li>
    <li>Payments on the chain are public, like every payment there.</li>
    <li>
      Every hour we publish a file with all sums that we owe, without names, so that you can prove what we owe you. Only
      your own key opens your line. Someone who knows an exact sum could still recognise it.
    </li>
    <li>Operators see your account when they answer you or check a withdrawal. What they change is recorded.</li>
  </List>
)

const Browser = () => (
  <p>
    We set no cookies. Your browser keeps your sign-in, your settings, unfinished payments and a small part of the pages
    for times without a connection. Signing out removes the sign-in and the settings.
  </p>
)

const Deletion = () => (
  <>
    <p>
      You can delete your account on <Link to="/user/profile">your profile</Link>. Your wallet signs it, so a stolen
      phone alone cannot do it, and neither can we for a person without the wallet. Money must be withdrawn first, and
      plans, bets and a break from the colour game must be over. It happens at once. This is kept:
    </p>
    <List>
      {keptReasons().map(({ what, why }) => (
        <li key={what}>
          {what}. {why}
        </li>
      ))}
    </List>
  </>
)

const Rights = () => (
  <>
    <p>
      <Link to="/user/profile">Your profile</Link> has an export with everything we store about you, and a list of what
      is left out and why.
    </p>
    <p>
      Do you have a question, or is something wrong? Write to us on <Link to="/user/healthsupport">Health Support</Link>
      .
    </p>
  </>
)
