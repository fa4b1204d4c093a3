import assert from 'node:assert/strict'
import { DAY, HOUR, least, leftInWindow, limit } from './model.ts'
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
  'pay refuses the vault, the token and the zero address': async (scene) => {
    await tight(scene)
    const { vault, token } = scene.ground.setup
    for (const to of [vault, token, `0x${'0'.repeat(40)}` as const]) await refused(scene.pay(to, 1n), 'BadAddress')
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
    await done(scene.send(owner, { name: 'proposePayer', args: [spareOne] }))
    await scene.days(2)
    await done(scene.send(owner, { name: 'acceptPayer', args: [] }))
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
    await done(scene.send(owner, { name: 'proposeLimits', args: [50n * USDT, 2_000n * USDT] }))
    await refused(scene.pay(ada, 51n), 'OverLimit')
    await done(scene.pay(ada, 50n))
    await scene.days(1)
    await scene.hours(2)
    await refused(scene.send(owner, { name: 'acceptLimits', args: [] }), 'TooEarly')
    await done(scene.send(owner, { name: 'proposeLimits', args: [500n * USDT, 1n * USDT] }))
    await scene.hours(2)
    await refused(scene.send(owner, { name: 'acceptLimits', args: [] }), 'TooEarly')
    await refused(scene.pay(ada, 2n), 'OverSingleMax')
    await scene.days(2)
    await done(scene.send(owner, { name: 'acceptLimits', args: [] }))
    assert.equal(scene.world.model.dailyMax, 500n * USDT)
  },
  'owner and publisher together: after a total of 0 the surplus is at most the floor in a day': async (scene) => {
    await tight(scene)
    await done(scene.send(owner, { name: 'proposeSurplus', args: [stranger, 3_000n * USDT] }))
    await scene.days(2)
    for (const user of [ada, ben, cleo]) scene.books.owed.set(user, 0n)
    await scene.hours(1)
    await refused(scene.send(owner, { name: 'acceptSurplus', args: [] }), 'OverLimit')
    await done(scene.send(owner, { name: 'proposeSurplus', args: [stranger, 10n * USDT] }))
    await scene.days(2)
    await done(scene.send(owner, { name: 'acceptSurplus', args: [] }))
    await refused(scene.pay(stranger, 1n), 'OverLimit')
    await scene.received(stranger, 10n * USDT)
  },
  'surplus needs 48 hours, a fresh root and money above the last total': async (scene) => {
    await tight(scene)
    await scene.world.deposit(100n * USDT)
    await done(scene.send(owner, { name: 'proposeSurplus', args: [owner, 101n * USDT] }))
    await refused(scene.send(owner, { name: 'acceptSurplus', args: [] }), 'TooEarly')
    await scene.days(2)
    await refused(scene.send(owner, { name: 'acceptSurplus', args: [] }), 'Shortage')
    await done(scene.send(owner, { name: 'proposeSurplus', args: [owner, 100n * USDT] }))
    await scene.days(2)
    scene.world.pass(DAY + 1n)
    await refused(scene.send(owner, { name: 'acceptSurplus', args: [] }), 'RootTooOld')
    await done(scene.publish())
    await done(scene.send(owner, { name: 'acceptSurplus', args: [] }))
    await refused(scene.send(owner, { name: 'acceptSurplus', args: [] }), 'NoProposal')
  },
  'a proposal expires after nine days': async (scene) => {
    await tight(scene)
    await done(scene.send(owner, { name: 'proposePublisher', args: [spareOne] }))
    scene.world.pass(9n * DAY + 1n)
    await refused(scene.send(owner, { name: 'acceptPublisher', args: [] }), 'TooLate')
    await done(scene.send(owner, { name: 'proposePublisher', args: [spareOne] }))
    scene.world.pass(9n * DAY)
    await done(scene.send(owner, { name: 'acceptPublisher', args: [] }))
    await refused(scene.send(publisher, { name: 'anchor', args: [newId(), newId()] }), 'NotAllowed')
  },
  'the guardian cancels every proposal but its own replacement': async (scene) => {
    await tight(scene)
    await done(scene.send(owner, { name: 'proposeGuardian', args: [spareOne] }))
    await refused(scene.send(guardian, { name: 'cancelGuardian', args: [] }), 'NotAllowed')
    await done(scene.send(owner, { name: 'proposeOwner', args: [stranger] }))
    await refused(scene.send(stranger, { name: 'cancelOwner', args: [] }), 'NotAllowed')
    await done(scene.send(guardian, { name: 'cancelOwner', args: [] }))
    await scene.days(2)
    await refused(scene.send(stranger, { name: 'acceptOwner', args: [] }), 'NotAllowed')
    await done(scene.send(owner, { name: 'acceptGuardian', args: [] }))
    await refused(scene.send(guardian, { name: 'pause', args: [] }), 'NotAllowed')
    await done(scene.send(spareOne, { name: 'pause', args: [] }))
  },
  'only the new owner accepts the ownership': async (scene) => {
    await tight(scene)
    await done(scene.send(owner, { name: 'proposeOwner', args: [spareOne] }))
    scene.world.pass(2n * DAY - 1n)
    await refused(scene.send(spareOne, { name: 'acceptOwner', args: [] }), 'TooEarly')
    scene.world.pass(1n)
    await refused(scene.send(owner, { name: 'acceptOwner', args: [] }), 'NotAllowed')
    await done(scene.send(spareOne, { name: 'acceptOwner', args: [] }))
    await refused(scene.send(owner, { name: 'unpause', args: [] }), 'NotAllowed')
  },
}
