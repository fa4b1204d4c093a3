import assert from 'node:assert/strict'
import { DAY, HOUR, least, leftInWindow, limit, ZERO } from './model.ts'
import { ada, ben, cleo, done, newId, refused, type Scene, tight, USDT } from './scene.ts'
import { people } from './world.ts'

const { stranger, owner, guardian, payer, publisher, spareOne } = people

/** The largest payout that is accepted right now. */
const rest = ({ world: { model } }: Scene) => least(limit(model) - leftInWindow(model), model.singleMax)

export const payoutSequences: Record<string, (scene: Scene) => Promise<void>> = {
  'a payout reserved before the snapshot and paid after it is not paid again by an exit': async (scene) => {
    await tight(scene)
    // Half of each leaf is a pending payout; this one is sent after the snapshot.
    await done(scene.pay(ada, 500n))
    await scene.openExits()
    for (const user of [ada, ben, cleo, ada, ben]) await scene.exit(user)
    for (const user of [ada, ben, cleo]) await scene.received(user, 1_000n * USDT)
  },
  'a payout between snapshot and publication is counted once': async (scene) => {
    await tight(scene)
    scene.world.pass(HOUR)
    const snapshot = scene.books.snapshot()
    scene.world.pass(60n)
    await done(scene.pay(ben, 400n))
    await done(scene.publish(snapshot))
    await scene.openExits()
    for (const user of [ada, ben, cleo, ada, ben]) await scene.exit(user)
    for (const user of [ada, ben, cleo]) await scene.received(user, 1_000n * USDT)
  },
  'honest payouts since the root do not stop the next root in a vault without reserve': async (scene) => {
    await tight(scene)
    const snapshot = { ...scene.books.snapshot(), takenAt: scene.world.model.now + 1n }
    await done(scene.pay(ada, 300n))
    await done(scene.pay(cleo, 300n))
    scene.world.pass(HOUR)
    await done(scene.publish(snapshot))
    await scene.hours(1)
  },
  'a payer thief gets one day of the limit, and nothing during the silent days': async (scene) => {
    await tight(scene)
    const held = await scene.world.balanceOf(scene.ground.setup.vault)
    for (let hour = 0; hour < 26; hour++) {
      await scene.send(payer, { name: 'pay', args: [newId(), stranger, rest(scene)] })
      await scene.send(payer, { name: 'pay', args: [newId(), stranger, USDT] })
      scene.world.pass(HOUR)
    }
    for (let day = 0; day < 6; day++) {
      await refused(scene.pay(stranger, 1n), 'RootTooOld')
      scene.world.pass(DAY)
    }
    assert.equal(await scene.world.balanceOf(stranger), held / 5n)
  },
  'a total that falls lowers the limit at once': async (scene) => {
    await tight(scene)
    assert.equal(limit(scene.world.model), 600n * USDT)
    scene.books.owed.set(cleo, 0n)
    scene.books.owed.set(ben, 0n)
    await scene.hours(1)
    await refused(scene.pay(ada, 201n), 'OverLimit')
    await done(scene.pay(ada, 200n))
  },
  'the limit is a fifth of what is held if that is less than the last total': async (scene) => {
    await tight(scene)
    for (const usdt of [300n, 300n]) await done(scene.pay(stranger, usdt))
    scene.world.pass(DAY)
    // The books do not include the theft yet, so the total is still 3,000.
    await done(scene.publish({ ...scene.books.snapshot(), paidAt: 0n }))
    scene.world.pass(HOUR - (scene.world.model.now % HOUR))
    assert.equal(leftInWindow(scene.world.model), 0n)
    await refused(scene.pay(stranger, 481n), 'OverLimit')
    await done(scene.pay(stranger, 480n))
  },
  'pay refuses the vault, the token and the zero address': async (scene) => {
    await tight(scene)
    const { vault, token } = scene.ground.setup
    for (const to of [vault, token, ZERO]) await refused(scene.pay(to, 1n), 'BadAddress')
  },
  'a greedy thief at hour edges gets at most the limit in any 24 hours': async (scene) => {
    await tight(scene)
    scene.world.pass(HOUR - (scene.world.model.now % HOUR) - 1n)
    await done(scene.publish())
    // Just before an hour begins, just after it, and again a day later to the second.
    for (let step = 0; step < 52; step++) {
      while (rest(scene) > 0n) {
        await done(scene.send(payer, { name: 'pay', args: [newId(), stranger, rest(scene)] }))
      }
      await refused(scene.pay(stranger, 1n), 'OverLimit')
      scene.world.pass(step % 2 === 0 ? 1n : HOUR - 1n)
      const snapshot = scene.books.snapshot()
      for (const leaf of snapshot.leaves) Object.assign(leaf, { balances: leaf.balances.map((b) => (b * 4n) / 5n) })
      await scene.publish(snapshot)
    }
  },
  'a voided id is never paid, and a paid id is never voided': async (scene) => {
    await tight(scene)
    const [voided, paid] = [newId(), newId()]
    await done(scene.send(payer, { name: 'void', args: [voided] }))
    await refused(scene.send(payer, { name: 'pay', args: [voided, ada, USDT] }), 'IdUsed')
    await done(scene.send(payer, { name: 'pay', args: [paid, ada, USDT] }))
    await refused(scene.send(payer, { name: 'pay', args: [paid, ada, USDT] }), 'IdUsed')
    await refused(scene.send(payer, { name: 'void', args: [paid] }), 'IdUsed')
    await refused(scene.send(stranger, { name: 'void', args: [newId()] }), 'NotAllowed')
  },
  'a new payer finishes open payouts with the same ids, and none is paid twice': async (scene) => {
    await tight(scene)
    const [sent, open] = [newId(), newId()]
    await done(scene.send(payer, { name: 'pay', args: [sent, ada, USDT] }))
    scene.books.owed.set(ada, 999n * USDT)
    await done(scene.send(owner, { name: 'propose', args: ['Payer', spareOne, 0n, 0n] }))
    await scene.days(2)
    await done(scene.send(owner, { name: 'accept', args: ['Payer'] }))
    await refused(scene.send(payer, { name: 'pay', args: [open, ada, USDT] }), 'NotAllowed')
    await refused(scene.send(spareOne, { name: 'pay', args: [sent, ada, USDT] }), 'IdUsed')
    await done(scene.send(spareOne, { name: 'pay', args: [open, ada, USDT] }))
  },
  'after a theft the next root is refused, and silence opens the exits': async (scene) => {
    await tight(scene)
    await done(scene.pay(stranger, 300n))
    scene.world.pass(HOUR)
    await refused(scene.publish(), 'Shortage')
    await scene.openExits()
    for (const user of [ada, ben, cleo]) await done(scene.exit(user))
    for (const user of [ada, ben, cleo]) await scene.received(user, 900n * USDT)
  },
  'the limits fall at once and rise after 48 hours': async (scene) => {
    await tight(scene)
    await done(scene.send(owner, { name: 'propose', args: ['Limits', ZERO, 50n * USDT, 2_000n * USDT] }))
    await refused(scene.pay(ada, 51n), 'OverLimit')
    await done(scene.pay(ada, 50n))
    await scene.days(1)
    await scene.hours(2)
    await refused(scene.send(owner, { name: 'accept', args: ['Limits'] }), 'TooEarly')
    await done(scene.send(owner, { name: 'propose', args: ['Limits', ZERO, 500n * USDT, 500n * USDT] }))
    await refused(scene.pay(ada, 51n), 'OverLimit')
    await done(scene.send(owner, { name: 'propose', args: ['Limits', ZERO, 500n * USDT, 1n * USDT] }))
    await scene.hours(2)
    await refused(scene.send(owner, { name: 'accept', args: ['Limits'] }), 'TooEarly')
    await refused(scene.pay(ada, 2n), 'OverLimit')
    await scene.days(2)
    await done(scene.send(owner, { name: 'accept', args: ['Limits'] }))
    assert.equal(scene.world.model.dailyMax, 500n * USDT)
  },
  'owner and publisher together: after a total of 0 the surplus is at most the floor in a day': async (scene) => {
    await tight(scene)
    await done(scene.send(owner, { name: 'propose', args: ['Surplus', stranger, 3_000n * USDT, 0n] }))
    await scene.days(2)
    for (const user of [ada, ben, cleo]) scene.books.owed.set(user, 0n)
    await scene.hours(1)
    await refused(scene.send(owner, { name: 'accept', args: ['Surplus'] }), 'OverLimit')
    await done(scene.send(owner, { name: 'propose', args: ['Surplus', stranger, 10n * USDT, 0n] }))
    await scene.days(2)
    await done(scene.send(owner, { name: 'accept', args: ['Surplus'] }))
    await refused(scene.pay(stranger, 1n), 'OverLimit')
    await scene.received(stranger, 10n * USDT)
  },
  'surplus needs 48 hours, a fresh root and money above the last total': async (scene) => {
    await tight(scene)
    await scene.world.deposit(100n * USDT)
    await done(scene.send(owner, { name: 'propose', args: ['Surplus', owner, 101n * USDT, 0n] }))
    await refused(scene.send(owner, { name: 'accept', args: ['Surplus'] }), 'TooEarly')
    await scene.days(2)
    await refused(scene.send(owner, { name: 'accept', args: ['Surplus'] }), 'Shortage')
    await done(scene.send(owner, { name: 'propose', args: ['Surplus', owner, 100n * USDT, 0n] }))
    await scene.days(2)
    scene.world.pass(DAY + 1n)
    await refused(scene.send(owner, { name: 'accept', args: ['Surplus'] }), 'RootTooOld')
    await done(scene.publish())
    await done(scene.send(owner, { name: 'accept', args: ['Surplus'] }))
    await refused(scene.send(owner, { name: 'accept', args: ['Surplus'] }), 'TooLate')
  },
  'a proposal expires after nine days': async (scene) => {
    await tight(scene)
    await done(scene.send(owner, { name: 'propose', args: ['Publisher', spareOne, 0n, 0n] }))
    scene.world.pass(9n * DAY + 1n)
    await refused(scene.send(owner, { name: 'accept', args: ['Publisher'] }), 'TooLate')
    await done(scene.send(owner, { name: 'propose', args: ['Publisher', spareOne, 0n, 0n] }))
    scene.world.pass(9n * DAY)
    await done(scene.send(owner, { name: 'accept', args: ['Publisher'] }))
    await refused(scene.send(publisher, { name: 'anchor', args: [newId(), newId()] }), 'NotAllowed')
  },
  'the guardian cancels every proposal but its own replacement': async (scene) => {
    await tight(scene)
    await done(scene.send(owner, { name: 'propose', args: ['Guardian', spareOne, 0n, 0n] }))
    await refused(scene.send(guardian, { name: 'cancel', args: ['Guardian'] }), 'NotAllowed')
    await done(scene.send(owner, { name: 'propose', args: ['Owner', stranger, 0n, 0n] }))
    await refused(scene.send(stranger, { name: 'cancel', args: ['Owner'] }), 'NotAllowed')
    await done(scene.send(guardian, { name: 'cancel', args: ['Owner'] }))
    await scene.days(2)
    await refused(scene.send(stranger, { name: 'accept', args: ['Owner'] }), 'NotAllowed')
    await done(scene.send(owner, { name: 'accept', args: ['Guardian'] }))
    await refused(scene.send(guardian, { name: 'pause', args: [] }), 'NotAllowed')
    await done(scene.send(spareOne, { name: 'pause', args: [] }))
  },
  'no key can have two roles, and none can be zero': async (scene) => {
    await tight(scene)
    const keys = [owner, guardian, publisher, payer]
    for (const role of ['Payer', 'Publisher', 'Guardian'] as const)
      for (const next of [...keys, ZERO]) {
        await done(scene.send(owner, { name: 'propose', args: [role, next, 0n, 0n] }))
        scene.world.pass(2n * DAY)
        await refused(scene.send(owner, { name: 'accept', args: [role] }), 'BadAddress')
      }
    for (const next of keys) {
      await done(scene.send(owner, { name: 'propose', args: ['Owner', next, 0n, 0n] }))
      scene.world.pass(2n * DAY)
      await refused(scene.send(next, { name: 'accept', args: ['Owner'] }), 'BadAddress')
    }
  },
  'only the new owner accepts the ownership': async (scene) => {
    await tight(scene)
    await done(scene.send(owner, { name: 'propose', args: ['Owner', spareOne, 0n, 0n] }))
    scene.world.pass(2n * DAY - 1n)
    await refused(scene.send(spareOne, { name: 'accept', args: ['Owner'] }), 'TooEarly')
    scene.world.pass(1n)
    await refused(scene.send(owner, { name: 'accept', args: ['Owner'] }), 'NotAllowed')
    await done(scene.send(spareOne, { name: 'accept', args: ['Owner'] }))
    await refused(scene.send(owner, { name: 'unpause', args: [] }), 'NotAllowed')
    await done(scene.send(spareOne, { name: 'propose', args: ['Payer', owner, 0n, 0n] }))
  },
}
