import { useState } from 'react'
import { colour } from '../../protocol/colour.ts'
import { isLooser, type LimitKind, type Limits, raiseLimitData } from '../../protocol/colour-limits.ts'
import type { Address } from '../../protocol/ids.ts'
import type { Usdt } from '../../protocol/money.ts'
import { notify } from '../../ui/toast.tsx'
import { CallError, call } from '../shared/api/api.ts'
import { readStoredUser } from '../shared/api/stored-user.ts'
import { isRejection } from '../shared/wallet/errors.ts'
import { openWallet } from '../shared/wallet/open.ts'
import { refreshGame } from './use-table.ts'

const SIGNATURE_SECONDS = 600

/** Sets a limit. The wallet must sign a looser one first (R11). */
export function useLimits(limits: Limits) {
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const needsSignature = (kind: LimitKind, amount: Usdt | null) => isLooser(limits[kind].amount, amount)

  async function save(kind: LimitKind, amount: Usdt | null): Promise<boolean> {
    setBusy(true)
    setRefusal(undefined)
    try {
      const signed = needsSignature(kind, amount) ? await sign(kind, amount) : {}
      const { Msg } = await call(colour.setLimit, { kind, amount, ...signed })
      notify.success(Msg)
      refreshGame()
      return true
    } catch (error) {
      if (isRejection(error)) notify.neutral('Nothing was signed. Your limit has not changed.')
      else setRefusal(error instanceof CallError ? error.message : (error as Error).message)
      return false
    } finally {
      setBusy(false)
    }
  }

  return { save, needsSignature, isBusy, refusal }
}

async function sign(kind: LimitKind, amount: Usdt | null) {
  const address = (readStoredUser()?.wallet_address ?? '').toLowerCase() as Address
  const { signer, info } = await openWallet(address)
  const nonce = crypto.randomUUID()
  const deadline = Math.floor(Date.now() / 1000) + SIGNATURE_SECONDS
  const data = raiseLimitData({ chainId: info.chain_id, wallet: address, kind, amount, nonce, deadline })
  return { nonce, deadline, signature: await signer.signTypedData(data) }
}
