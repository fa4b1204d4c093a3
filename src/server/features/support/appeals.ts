import { AppError } from '../../../protocol/errors.ts'
import { formatUsdt } from '../../../protocol/money.ts'
import { refuseAppeal } from '../../../protocol/referrals.ts'
import type { InputOf } from '../../../protocol/route.ts'
import type { support } from '../../../protocol/support.ts'
import type { Tx } from '../../platform/db.ts'
import { throwIfRefused } from '../../platform/refusals.ts'
import { openRequest } from './requests.ts'

/** Opens a support request in which an operator answers the appeal. */
export async function appealHold(tx: Tx, userNumber: number, input: InputOf<typeof support.appeal>, now: Date) {
  const hold = await tx
    .selectFrom('referral_holds')
    .select(['amount', 'state', 'appeal_id'])
    .where('id', '=', input.hold_id)
    .where('user_number', '=', userNumber)
    .forUpdate()
    .executeTakeFirst()
  if (!hold) throw new AppError('not_found', 'There is no such reward on hold')
  throwIfRefused(refuseAppeal(hold))
  const subject = `Reward of ${formatUsdt(hold.amount)} USDT on hold (hold_${input.hold_id})`
  const thread = await openRequest(tx, userNumber, { topic: 'money', subject, text: input.text }, now)
  await tx.updateTable('referral_holds').set({ appeal_id: thread.request.id }).where('id', '=', input.hold_id).execute()
  return thread
}
