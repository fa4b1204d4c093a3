import { useEffect, useRef, useState } from 'react'
import type { Usdt } from '../protocol/money.ts'
import { mixUsdt } from './format.ts'
import { Money } from './money.tsx'
import { prefersLessMotion } from './theme.ts'

const ROLL_MS = 700

/** Animates from the previous value to the new one. */
export function AnimatedNumber({ value, format = String }: { value: number; format?: (value: number) => string }) {
  const share = useRoll(value)
  const before = useBefore(value)
  return <span className="figures">{format(share >= 1 ? value : Math.round(before + (value - before) * share))}</span>
}

export function AnimatedMoney({ amount, className }: { amount: Usdt; className?: string }) {
  const share = useRoll(amount)
  const before = useBefore(amount)
  return <Money amount={mixUsdt(before, amount, share)} {...(className && { className })} />
}

/** Eased progress of the animation to `target`, from 0 to 1. The first value is shown without animation. */
function useRoll(target: number | bigint): number {
  const [progress, setProgress] = useState({ target, share: 1 })
  const started = useRef(target)
  useEffect(() => {
    if (started.current === target) return
    started.current = target
    if (prefersLessMotion()) return setProgress({ target, share: 1 })
    const start = performance.now()
    let frame = requestAnimationFrame(function step(now) {
      const share = Math.min(1, (now - start) / ROLL_MS)
      setProgress({ target, share: 1 - (1 - share) ** 3 })
      if (share < 1) frame = requestAnimationFrame(step)
    })
    return () => cancelAnimationFrame(frame)
  }, [target])
  return progress.target === target ? progress.share : 0
}

function useBefore<Value>(value: Value): Value {
  const [pair, setPair] = useState({ now: value, before: value })
  if (pair.now === value) return pair.before
  setPair({ now: value, before: pair.now })
  return pair.now
}
