import assert from 'node:assert/strict'
import { numberToHex } from 'viem'
import { leafOf } from './books.ts'
import { DAY, HOUR, paidTotal } from './model.ts'
import { ada, ben, cleo, done, newId, refused, type Scene, tight, USDT } from './scene.ts'
import { people } from './world.ts'

const { stranger, owner, guardian, publisher } = people
const END = 2n ** 64n - 1n

/** A root in which everything belongs to a thief. */
function lie({ books, world: { model } }: Scene, epoch: bigint) {
  const leaves = [leafOf(stranger, 3_000n * USDT, 0n, Number(epoch))]
  const tree = books.tree({ takenAt: model.now, paidAt: paidTotal(model), leaves }, epoch)
  return { name: 'publish' as const, args: [epoch, tree.root, tree.total, paidTotal(model), model.now] as never }
}

export const rootSequences: Record<string, (scene: Scene) => Promise<void>> = {
  'a lying root, then silence: struck, the users exit with the root before it': async (scene) => {
    await tight(scene)
    scene.world.pass(HOUR)
    await done(scene.send(publisher, lie(scene, 2n)))
    scene.world.pass(2n * DAY)
    await done(scene.send(guardian, { name: 'strike', args: [2n] }))
    await scene.openExits()
    for (const user of [ada, ben, cleo]) await done(scene.exit(user))
    for (const user of [ada, ben, cleo]) await scene.received(user, 1_000n * USDT)
    await scene.received(stranger, 0n)
  },
  'a lying root, then silence: not struck, it takes everything': async (scene) => {
    await tight(scene)
    scene.world.pass(HOUR)
    await done(scene.send(publisher, lie(scene, 2n)))
    await scene.openExits()
    await done(scene.exit(stranger))
    await scene.received(stranger, 3_000n * USDT)
  },
  'many lying roots are struck with one call': async (scene) => {
    await tight(scene)
    for (let epoch = 2n; epoch < 30n; epoch++) {
      scene.world.pass(1n)
      await done(scene.send(publisher, lie(scene, epoch)))
    }
    await done(scene.send(guardian, { name: 'pause', args: [] }))
    await done(scene.send(guardian, { name: 'strike', args: [2n] }))
    assert.equal(scene.books.lastTree()?.leaves.length, 3)
  },
  'an old root, an unknown root and a root struck before cannot be struck': async (scene) => {
    await tight(scene)
    await refused(scene.send(guardian, { name: 'strike', args: [2n] }), 'BadRoot')
    await refused(scene.send(stranger, { name: 'strike', args: [1n] }), 'NotAllowed')
    scene.world.pass(2n * DAY + 1n)
    await refused(scene.send(guardian, { name: 'strike', args: [1n] }), 'TooLate')
    await scene.hours(2)
    await done(scene.send(guardian, { name: 'strike', args: [2n] }))
    await scene.hours(1)
    await refused(scene.send(guardian, { name: 'strike', args: [2n] }), 'BadRoot')
    await refused(scene.send(guardian, { name: 'strike', args: [3n] }), 'BadRoot')
  },
  'exits do not open without a root': async (scene) => {
    await scene.fund(ada, 1_000n)
    scene.world.pass(30n * DAY)
    await refused(scene.send(stranger, { name: 'callExits', args: [] }), 'TooEarly')
    await refused(scene.send(stranger, { name: 'openExits', args: [] }), 'TooEarly')
    await done(scene.publish())
    await done(scene.send(guardian, { name: 'strike', args: [1n] }))
    scene.world.pass(30n * DAY)
    await refused(scene.send(stranger, { name: 'callExits', args: [] }), 'TooEarly')
  },
  'takenAt and epoch cannot reach the end of their range': async (scene) => {
    await tight(scene)
    const { model } = scene.world
    scene.world.pass(HOUR)
    const root = newId()
    const publish = (epoch: bigint, takenAt: bigint) =>
      scene.send(publisher, { name: 'publish', args: [epoch, root, 0n, 0n, takenAt] })
    await refused(publish(END, model.now), 'BadEpoch')
    await refused(publish(1_002n, model.now), 'BadEpoch')
    await refused(publish(1n, model.now), 'BadEpoch')
    await refused(publish(2n, END), 'BadTime')
    await refused(publish(2n, model.now + 1n), 'BadTime')
    await refused(publish(2n, 0n), 'BadTime')
    await done(publish(1_001n, model.now))
  },
  'the same root again is refused, and so is the zero root': async (scene) => {
    await tight(scene)
    const { model } = scene.world
    const used = model.line.at(-1)?.hash ?? '0x'
    await scene.hours(2)
    scene.world.pass(HOUR)
    for (const root of [used, numberToHex(0, { size: 32 })])
      await refused(scene.send(publisher, { name: 'publish', args: [4n, root, 0n, 0n, model.now] }), 'BadRoot')
  },
  'an old snapshot does not restart the silence': async (scene) => {
    await tight(scene)
    scene.world.pass(HOUR)
    const [old, kept] = [scene.books.snapshot(), scene.books.snapshot()]
    await scene.hours(1)
    await refused(scene.publish({ ...old, takenAt: old.takenAt - HOUR }), 'BadTime')
    scene.world.pass(2n * DAY)
    await refused(scene.publish(kept), 'BadTime')
    // The silence counts from the snapshot, not from its publication.
    scene.world.pass(4n * DAY)
    const late = { ...scene.books.snapshot(), takenAt: scene.world.model.now - DAY }
    await done(scene.publish(late))
    scene.world.pass(5n * DAY)
    await done(scene.send(stranger, { name: 'callExits', args: [] }))
  },
  'a publisher that never advances paidAt cannot hide a theft for more than a day': async (scene) => {
    await tight(scene)
    await done(scene.pay(stranger, 300n))
    for (let hour = 0; hour < 24; hour++) {
      scene.world.pass(HOUR)
      await done(scene.publish({ ...scene.books.snapshot(), paidAt: 0n }))
    }
    scene.world.pass(HOUR)
    await refused(scene.publish({ ...scene.books.snapshot(), paidAt: 0n }), 'BooksTooOld')
    await refused(scene.publish(), 'Shortage')
  },
  'books that lag more than 25 hours are refused, and so are books ahead of the chain': async (scene) => {
    await tight(scene)
    await done(scene.pay(ada, 100n))
    const { model } = scene.world
    scene.world.pass(26n * HOUR)
    const books = { ...scene.books.snapshot(), paidAt: 0n }
    await refused(scene.publish(books), 'BooksTooOld')
    await refused(scene.publish({ ...books, paidAt: paidTotal(model) + 1n }), 'BooksTooOld')
    await done(scene.publish())
  },
  'while paused and with the owner gone, silence opens the exits': async (scene) => {
    await tight(scene)
    await done(scene.send(guardian, { name: 'pause', args: [] }))
    scene.world.pass(HOUR)
    await refused(scene.publish(), 'EnforcedPause')
    await refused(scene.pay(ada, 1n), 'EnforcedPause')
    await refused(scene.send(stranger, { name: 'unpause', args: [] }), 'NotAllowed')
    await scene.openExits()
    await done(scene.exit(ada))
    await scene.received(ada, 1_000n * USDT)
    await refused(scene.send(owner, { name: 'unpause', args: [] }), 'TooLate')
    await refused(scene.publish(), 'EnforcedPause')
    await refused(scene.pay(ada, 1n), 'EnforcedPause')
  },
  'no root and no payout after exits open': async (scene) => {
    await tight(scene)
    await scene.openExits()
    await refused(scene.publish(), 'EnforcedPause')
    await refused(scene.pay(ada, 1n), 'EnforcedPause')
    await refused(scene.send(guardian, { name: 'pause', args: [] }), 'EnforcedPause')
    await refused(scene.send(stranger, { name: 'callExits', args: [] }), 'TooLate')
    await refused(scene.send(stranger, { name: 'openExits', args: [] }), 'TooLate')
  },
  'after a 30-day outage of the chain the operator has a day to publish': async (scene) => {
    await tight(scene)
    await done(scene.pay(ada, 100n))
    scene.world.pass(30n * DAY)
    await refused(scene.send(stranger, { name: 'openExits', args: [] }), 'TooEarly')
    await done(scene.send(stranger, { name: 'callExits', args: [] }))
    await refused(scene.send(stranger, { name: 'callExits', args: [] }), 'TooLate')
    scene.world.pass(DAY - 1n)
    await refused(scene.send(stranger, { name: 'openExits', args: [] }), 'TooEarly')
    await done(scene.publish())
    scene.world.pass(1n)
    await refused(scene.send(stranger, { name: 'openExits', args: [] }), 'TooEarly')
    await done(scene.pay(ada, 100n))
  },
}
