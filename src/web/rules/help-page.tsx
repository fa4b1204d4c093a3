import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { WALLET_CHANGE_HOURS } from '../../protocol/wallet-changes.ts'
import { Document } from './document.tsx'

type Question = { question: string; answer: ReactNode }

const money: Question[] = [
  {
    question: 'How do I add money?',
    answer:
      'Connect the wallet that holds your USDT, open Plans or Wallet, and choose an amount. Your wallet asks you to confirm. The money counts once the network has confirmed it, usually within a few minutes.',
  },
  {
    question: 'I paid, but closed the page. Is my money lost?',
    answer:
      'No. We look for payments from your wallet on the chain. If a payment belongs to no purchase, it is added to your wallet balance.',
  },
  {
    question: 'Can I send USDT from an exchange?',
    answer:
      'Yes. Open Wallet, tap “Add money” and choose “Exchange”: you get a deposit address of your own. Send USDT to it on the network that the page names. It reaches your wallet balance once the network has confirmed it. Do not send from an exchange to any other address of ours: we could not tell whose money it is.',
  },
  {
    question: 'Which network and token do I need?',
    answer:
      'USDT on the network that the “Add money” sheet names. Other tokens and networks are not credited. If you sent the wrong one to your deposit address, write to us: the sheet says what can be done.',
  },
  {
    question: 'When can I withdraw?',
    answer: (
      <>
        Your wallet balance and daily rewards at any time, referral rewards some days after you earned them, and the
        money in a plan when its term ends. The exact days and fees are in the <Link to="/terms">terms</Link>.
      </>
    ),
  },
  {
    question: 'Why is my withdrawal waiting?',
    answer:
      'Large withdrawals wait for an operator, and all payouts pause while our books cannot be checked. The withdrawal page says which it is. The amount stays reserved for you.',
  },
]

const account: Question[] = [
  {
    question: 'I lost my wallet. Can you restore my account?',
    answer:
      'Restore the wallet itself with its recovery phrase, then sign in as before. We do not have your phrase or your keys, so we cannot do it for you.',
  },
  {
    question: 'Can I move my account to another wallet?',
    answer: (
      <>
        Yes, while you still have both: <Link to="/user/profile">your profile</Link> has “Change wallet”. Both wallets
        sign, and the change is made {WALLET_CHANGE_HOURS} hours later. Until then you can stop it there. If someone
        else has your wallet, stop what they asked for, withdraw what you can, and write to support.
      </>
    ),
  },
  {
    question: 'Someone asks for my recovery phrase',
    answer:
      'Never give it to anyone. We will never ask for it. A signature that your wallet shows you is enough for everything here.',
  },
  {
    question: 'I see a device I do not know',
    answer: (
      <>
        Open <Link to="/user/profile">your profile</Link> and sign out everywhere. Money cannot be sent to a new
        recipient without a signature by your wallet.
      </>
    ),
  },
  {
    question: 'How do I delete my account?',
    answer: (
      <>
        At the end of <Link to="/user/profile">your profile</Link>. Withdraw your money first; your wallet signs the
        deletion. It happens at once and cannot be undone. <Link to="/privacy#deletion">What we keep</Link>
      </>
    ),
  },
  {
    question: 'Can I get a copy of my data?',
    answer: (
      <>
        Yes. <Link to="/user/profile">Your profile</Link> has an export of everything we store about you.
      </>
    ),
  },
]

const games: Question[] = [
  {
    question: 'How do I know that a draw was fair?',
    answer: (
      <>
        Your browser can recompute it. Open any past round in the colour game or on the{' '}
        <Link to="/trust">trust page</Link>: we published a commitment to the seed before the round, and a block that
        did not exist yet decides the rest.
      </>
    ),
  },
  {
    question: 'My connection broke during a round',
    answer: 'A bet that was confirmed takes part, whether or not the page is open. The result is in your bet history.',
  },
  {
    question: 'What happens if a round has no result?',
    answer: 'Every stake of that round is refunded.',
  },
  {
    question: 'How do I set a limit or take a break?',
    answer: (
      <>
        On the colour game’s page and in your profile. <Link to="/play-safely">Play safely</Link> explains how limits
        work.
      </>
    ),
  },
]

/** Questions that users have, with short answers. */
export function HelpPage() {
  return (
    <Document
      title="Help"
      intro="Short answers to the questions we hear most."
      sections={[
        { id: 'money', title: 'Money', content: <Questions questions={money} /> },
        { id: 'account', title: 'Your account', content: <Questions questions={account} /> },
        { id: 'games', title: 'Games', content: <Questions questions={games} /> },
        {
          id: 'contact',
          title: 'Ask us',
          content: (
            <p>
              Write to us on <Link to="/user/healthsupport">Health Support</Link>. We answer there, and the answer stays
              in your account. Never send passwords, keys or recovery phrases.
            </p>
          ),
        },
      ]}
    />
  )
}

const Questions = ({ questions }: { questions: Question[] }) => (
  <div className="grid gap-2">
    {questions.map(({ question, answer }) => (
      <details key={question} className="rounded-inner bg-surface px-5 shadow-card">
        <summary className="cursor-pointer rounded-lg py-4 font-semibold">{question}</summary>
        <p className="pb-4 text-soft">{answer}</p>
      </details>
    ))}
  </div>
)
