import { Link } from 'react-router'
import { buttonClass } from '../../ui/button.tsx'
import { Ring } from '../../ui/ring.tsx'

const steps = [
  {
    title: 'Join with a wallet',
    text: 'Your wallet is your account: no email, no password. Signing in is free and moves no money.',
  },
  {
    title: 'Move and play',
    text: 'Daily challenges, a quiz and a weekly board with friends. All of it is free.',
  },
  {
    title: 'Get a plan, if you like',
    text: 'Plans earn a small daily reward. Everything we owe you is in a ledger you can check.',
  },
]

export function Steps() {
  return (
    <section aria-labelledby="steps-title" className="mx-auto max-w-[1200px] px-5 py-14 sm:px-8 wide:py-20">
      <h2 id="steps-title" className="mb-8 text-[clamp(2rem,6vw,3.5rem)] wide:mb-12">
        How it works
      </h2>
      <ol className="grid gap-8 wide:grid-cols-3 wide:gap-10">
        {steps.map(({ title, text }, index) => (
          <li key={title} className="grid grid-cols-[auto_1fr] gap-x-5 gap-y-3 wide:grid-cols-1">
            <Ring value={(index + 1) / steps.length} size={76} stroke={9}>
              <span className="font-display text-2xl">{index + 1}</span>
            </Ring>
            <div>
              <h3 className="mb-1.5 text-2xl">{title}</h3>
              <p className="text-soft">{text}</p>
            </div>
          </li>
        ))}
      </ol>
      <Link to="/login/register" className={`${buttonClass({ size: 'l' })} mt-10`}>
        Join now
      </Link>
    </section>
  )
}
