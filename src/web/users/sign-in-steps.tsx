import { Check } from 'lucide-react'
import { Ring } from '../../ui/ring.tsx'
import type { Step } from './sign-in.ts'

const steps: { id: Step; text: string }[] = [
  { id: 'connect', text: 'Connecting your wallet' },
  { id: 'sign', text: 'Waiting for your signature' },
  { id: 'register', text: 'Creating your account' },
]
const demoSteps: typeof steps = [...steps, { id: 'fill', text: 'Filling your wallet with test money' }]

/** Connecting and signing in are separate steps: shows the current one and what comes next. */
export function SignInSteps({ step, isDemo }: { step: Step; isDemo: boolean }) {
  const shown = isDemo ? demoSteps : steps
  const current = shown.findIndex(({ id }) => id === step)
  return (
    <ol className="grid gap-3" aria-live="polite">
      {shown.map(({ id, text }, index) => (
        <li key={id} className={`flex items-center gap-3 ${index > current ? 'text-faint' : ''}`}>
          {index < current ? (
            <Check size={22} className="text-primary" aria-label="done" />
          ) : (
            <Ring size={22} stroke={4} {...(index > current && { value: 0 })} />
          )}
          <span className={index === current ? 'font-semibold' : ''}>{text}</span>
        </li>
      ))}
    </ol>
  )
}
