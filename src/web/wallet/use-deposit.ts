import { useEffect, useRef, useState } from 'react'
import type { Address } from '../../protocol/ids.ts'
import type { Usdt } from '../../protocol/money.ts'
import { wallet } from '../../protocol/wallet.ts'
import { CallError, call } from '../shared/api/api.ts'
import { notifyWalletProblem } from '../shared/wallet/errors.ts'
import type { NetworkInfo } from '../shared/wallet/wallet.ts'

const POLL_MS = 1_000

export type DepositStage =
  | { name: 'edit' }
  | { name: 'sign' }
  | { name: 'way'; hash: `0x${string}`; amount: Usdt; confirmations: number; needed: number; problem?: string }
  | { name: 'done'; text: string; good: boolean }

/** A deposit from the connected wallet. The server watches the chain, so it is credited even if the page is closed. */
export function useDeposit(info: NetworkInfo, address: Address, onChange: () => void) {
  const [stage, setStage] = useState<DepositStage>({ name: 'edit' })
  const changed = useRef(onChange)
  changed.current = onChange
  const way = stage.name === 'way' ? stage : undefined

  useEffect(() => {
    if (!way) return
    const timer = setTimeout(async () => setStage(await look(way)), POLL_MS)
    return () => clearTimeout(timer)
  }, [way])

  useEffect(() => {
    if (stage.name === 'done') changed.current()
  }, [stage.name])

  async function send(amount: Usdt): Promise<void> {
    setStage({ name: 'sign' })
    try {
      const { reconnectWallet } = await import('../shared/wallet/wallet.ts')
      const connected = await reconnectWallet(info, address)
      const hash = await connected.sendUsdt(info.support, amount)
      setStage(await look({ name: 'way', hash, amount, confirmations: 0, needed: 0 }))
    } catch (error) {
      notifyWalletProblem(error, 'Nothing was signed and nothing was sent')
      setStage({ name: 'edit' })
    }
  }

  return { stage, send, reset: () => setStage({ name: 'edit' }) }
}

type OnTheWay = DepositStage & { name: 'way' }

/** Reports the deposit and reads its progress. Safe to repeat. If that fails, it is tried again. */
async function look({ problem: _, ...way }: OnTheWay): Promise<DepositStage> {
  try {
    const reply = await call(wallet.deposit, { trans_hash: way.hash, amount: way.amount })
    if (reply.state === 'waiting')
      return { ...way, confirmations: reply.confirmations, needed: reply.confirmations_needed }
    return { name: 'done', text: reply.Msg, good: reply.state === 'credited' }
  } catch (error) {
    const { message: text } = error as Error
    const isFinal = error instanceof CallError && (error.code === 'payment_refused' || error.code === 'payment_used')
    return isFinal ? { name: 'done', text, good: false } : { ...way, problem: text }
  }
}
