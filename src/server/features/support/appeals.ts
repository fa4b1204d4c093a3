import { AppError } from '../../../protocol/errors.ts'
import { formatUsdt } from '../../../protocol/money.ts'
import type { InputOf } from '../../../protocol/route.ts'
import type { support } from '../../../protocol/support.ts'
import type { Tx } from '../../platform/db.ts'
import { openRequest } from './requests.ts'

/** A held reward is appealed once: what follows is said in the request it opened. */
export async function appealHold(tx: Tx, userNumber: number, input: InputOf<typeof support.appeal>, now: Date) {
  const hold = await tx
    .selectFrom('referral_holds')
    .select(['amount', 'state', 'appeal_id'])
    .where('id', '=', input.hold_id)
    .where('user_number', '=', userNumber)
    .forUpdate()
    .executeTakeFirst()
  if (!hold) throw new AppError('not_found', 'There is no such reward on hold')
  if (hold.state !== 'held') throw new AppError('not_eligible', 'This is decided already. Write to us if it is wrong.')
  if (hold.appeal_id) throw new AppError('not_eligible', 'You appealed already: add to your request in Health Support')
  const subject = `Reward of ${formatUsdt(hold.amount)} USDT on hold (hold_${input.hold_id})`
  const thread = await openRequest(tx, userNumber, { topic: 'money', subject, text: input.text }, now)
  await tx.updateTable('referral_holds').set({ appeal_id: thread.request.id }).where('id', '=', input.hold_id).execute()
  return thread
}
