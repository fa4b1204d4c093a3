import { useState } from 'react'
import { deletion, deletionTypedData } from '../../protocol/deletion.ts'
import type { Usdt } from '../../protocol/money.ts'
import type { OutputOf } from '../../protocol/route.ts'
import { users } from '../../protocol/users.ts'
import { CallError, call } from '../shared/api/api.ts'
import { forgetSessionKey } from '../shared/api/session-key.ts'
import { clearStorage } from '../shared/api/stored-user.ts'
import { useOneAtATime } from '../shared/page/use-one-at-a-time.ts'
import { notifyWalletProblem } from '../shared/wallet/errors.ts'
import { forgetWallet } from '../shared/wallet/last-wallet.ts'
import { openWallet } from '../shared/wallet/open.ts'
import { fieldsOf, newSignedTerms } from '../shared/wallet/signed-terms.ts'

export type Preview = OutputOf<typeof deletion.preview>['data']
type Stage = 'edit' | 'sign' | 'send'

/** From the tap to the goodbye page. After a refusal the preview is read again: something has changed. */
export function useDeletion(givenUp: Usdt, onRefused: () => void) {
  const { run } = useOneAtATime()
  const [stage, setStage] = useState<Stage>('edit')
  const [refusal, setRefusal] = useState<string>()

  async function remove(): Promise<void> {
    setRefusal(undefined)
    try {
      await request(givenUp, setStage)
      await forgetUser()
      location.replace('/goodbye')
    } catch (error) {
      setStage('edit')
      if (!(error instanceof CallError)) notifyWalletProblem(error, 'You declined in your wallet. Nothing was deleted.')
      else {
        setRefusal(error.message)
        onRefused()
      }
    }
  }

  return { stage, refusal, confirm: () => run(remove) }
}

/** Gets the wallet's signature over exactly this account and amount, then sends it. */
async function request(givenUp: Usdt, onStage: (stage: Stage) => void): Promise<void> {
  onStage('sign')
  const { data: me } = await call(users.me, {})
  const { signer, info } = await openWallet(me.wallet_address)
  const terms = newSignedTerms(info)
  const signature = await signer.signTypedData(deletionTypedData({ account: me.id, givenUp, ...terms }))
  onStage('send')
  await call(deletion.remove, { given_up: givenUp, ...fieldsOf(terms), signature })
}

/**
 * Removes what this browser keeps about the user: all of local storage, the key of the session and the last wallet. A demo
 * wallet stays, as any wallet does. The service worker keeps nothing about users.
 */
async function forgetUser(): Promise<void> {
  await Promise.all([forgetWallet(), forgetSessionKey()]).catch(() => undefined)
  clearStorage()
}
