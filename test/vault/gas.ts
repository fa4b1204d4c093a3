import { type Hex, hexToBytes, toHex } from 'viem'
import { leafOf } from './books.ts'
import { compileVault, type VaultCode } from './contracts.ts'
import { DAY, HOUR } from './model.ts'
import { newId, play, type Scene, USDT } from './scene.ts'
import { type Leaf, leafNode, parentOf, type Sibling } from './tree.ts'
import { createGround, encodeCall, people } from './world.ts'

const { owner, guardian, publisher, payer, users, stranger } = people
const [ada, ben] = users as [Hex, Hex]

/** The gas of real transactions: fixed part, bytes, execution and refund. */
export async function measureGas(code: VaultCode): Promise<Record<string, number>> {
  const rows: Record<string, number> = {}
  const ground = await createGround(code)
  await play(ground, (scene) => measurePayouts(scene, rows))
  for (const levels of [20, 30]) await play(ground, (scene) => measureExit(scene, levels, rows))
  return rows
}

type Rows = Record<string, number>

/** Measures the call in a state that is then taken back, and makes it. */
async function measure(scene: Scene, rows: Rows, name: string, from: Hex, call: Parameters<Scene['send']>[1]) {
  const { chain, setup } = scene.ground
  await chain.checkpoint()
  const { gas, error } = await chain.send(from, setup.vault, encodeCall(call))
  await chain.revert()
  const refusal = await scene.send(from, call)
  if (error ?? refusal) throw new Error(`${name}: ${error ?? refusal}`)
  rows[name] = Number(gas)
}

async function measurePayouts(scene: Scene, rows: Rows): Promise<void> {
  for (const user of users) await scene.fund(user, 1_000n)
  await scene.world.deposit(1_000n * USDT)
  await scene.hours(1)
  await measure(scene, rows, 'pay, first to a wallet', payer, { name: 'pay', args: [newId(), ada, USDT] })
  await measure(scene, rows, 'pay, again in the same hour', payer, { name: 'pay', args: [newId(), ada, USDT] })
  for (let hour = 0; hour < 25; hour++) {
    await scene.pay(ben, 1n)
    await scene.hours(1)
  }
  await measure(scene, rows, 'pay, with all hours in use', payer, { name: 'pay', args: [newId(), ada, USDT] })
  await measure(scene, rows, 'void', payer, { name: 'void', args: [newId()] })
  scene.world.pass(HOUR)
  const { model } = scene.world
  const [epoch, paidAt] = [model.epochMax + 1n, [...model.paid.values()].reduce((sum, paid) => sum + paid, 0n)]
  const args = [epoch, newId(), 5_000n * USDT, paidAt, model.now] as const
  await measure(scene, rows, 'publish', publisher, { name: 'publish', args: [...args] })
  await measure(scene, rows, 'anchor', publisher, { name: 'anchor', args: [newId(), newId()] })
  await measure(scene, rows, 'strike', guardian, { name: 'strike', args: [epoch] })
  await measure(scene, rows, 'propose', owner, { name: 'propose', args: ['Surplus', owner, USDT, 0n] })
  await scene.days(2)
  await measure(scene, rows, 'accept a surplus', owner, { name: 'accept', args: ['Surplus'] })
  scene.world.pass(6n * DAY)
  await measure(scene, rows, 'callExits', stranger, { name: 'callExits', args: [] })
  scene.world.pass(DAY)
  await measure(scene, rows, 'openExits', stranger, { name: 'openExits', args: [] })
}

async function measureExit(scene: Scene, levels: number, rows: Rows): Promise<void> {
  await scene.world.deposit(1_000n * USDT)
  scene.world.pass(60n)
  const place = { chainId: 1n, vault: hexToBytes(scene.ground.setup.vault), epoch: 1n }
  const leaf: Leaf = { ...leafOf(ada, 100n * USDT, 0n, 1), balances: [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n] }
  let node = leafNode(place, leaf)
  const siblings: Sibling[] = []
  for (let level = 1; level <= levels; level++) {
    // Random bytes, because a zero byte costs less.
    const other = { hash: parentOf(node, node).hash, sum: BigInt(level) * 1_000n }
    siblings.push({ hash: toHex(other.hash), sum: other.sum, isLeft: level % 2 === 0 })
    node = level % 2 === 0 ? parentOf(other, node) : parentOf(node, other)
  }
  const args = [1n, toHex(node.hash), node.sum, 0n, scene.world.model.now] as const
  await scene.send(publisher, { name: 'publish', args: [...args] })
  await scene.openExits()
  await measure(scene, rows, `exit at ${levels} levels`, stranger, { name: 'exit', args: [leaf, siblings] })
}

if (process.argv[1] === import.meta.filename) {
  for (const [name, gas] of Object.entries(await measureGas(await compileVault())))
    console.log(`${name.padEnd(30)} ${gas.toLocaleString('en').padStart(9)}`)
}
