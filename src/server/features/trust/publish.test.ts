import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseUsdt } from '../../../protocol/money.ts'
import { trust } from '../../../protocol/trust.ts'
import { fromHex, toHex } from '../../../verifier/bytes.ts'
import { rebuildTree } from '../../../verifier/tree-file.ts'
import { followCalls } from '../../chain/publisher-send.ts'
import { contractOf, readVault } from '../../chain/vault.ts'
import { checkInvariants } from '../../ledger/audit.ts'
import { createTestApi, type TestApi } from '../../testing/api.ts'
import { type PaymentChain, startPaymentChain } from '../../testing/chain.ts'
import { runAsOwner } from '../../testing/database.ts'
import { aDepositor, type TestUser, withdraw, workOnce } from '../../testing/payments.ts'
import { anchorDue } from './anchors.ts'
import { readBooks } from './books.ts'
import { trustInvariants } from './invariants.ts'
import { findLeafKey, proveLeaf } from './proofs.ts'
import { publishDueRoot, publishRoot } from './publish.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

let node: PaymentChain
let api: TestApi
let user: TestUser
beforeAll(async () => {
  node = await startPaymentChain()
  api = await createTestApi({ settings: node.settings })
  user = await aDepositor(api, node, '100')
  await aDepositor(api, node, '50')
})
afterAll(async () => {
  await api.close()
  await node.stop()
})

const follow = (stuckSeconds = 60) => followCalls({ ...api.context, stuckSeconds })
/** Sends what is signed, and mines until it is final. */
async function settle(): Promise<void> {
  await follow()
  await node.mine(3)
  await follow()
}
const countTrees = async (): Promise<bigint> =>
  (await sql<{ count: bigint }>`select count(*) from liability_published`.execute(api.context.db)).rows[0]?.count ?? 0n
const listCalls = () =>
  api.context.db.selectFrom('vault_calls').select(['kind', 'nonce', 'succeeded']).orderBy('nonce').execute()

/** The values of this kind that the vault has recorded, as hex digits. */
async function listAnchors(kind: string): Promise<string[]> {
  const named = `0x${Buffer.from(kind).toString('hex').padEnd(64, '0')}` as const
  const query = { ...contractOf(node.chain), eventName: 'Anchored', args: { kind: named }, fromBlock: 0n } as const
  const events = await node.chain.client.getContractEvents(query)
  return events.map(({ args }) => args.value?.slice(2) ?? '')
}

/** A deposit in final blocks that are later than the last root, so that there is something to publish. */
async function newBooks(): Promise<void> {
  await node.rpc('evm_increaseTime', ['0xa'])
  await aDepositor(api, node, '1')
}

test('a root is published with the total, and each user gets a proof that the vault itself accepts', async () => {
  expect(await publishRoot(api.context)).toBe(true)
  // Nothing is shown before it is final.
  expect((await api.call(trust.summary, {})).data.snapshot).toBeNull()
  await settle()
  const { snapshot } = (await api.call(trust.summary, {})).data
  const figures = await readVault(node.chain)
  expect(figures).toMatchObject({
    epoch: BigInt(snapshot?.epoch ?? 0),
    root: `0x${snapshot?.root}`,
    total: 150_000_000n,
  })
  const { data } = await api.call(trust.proof, {}, user.token)
  expect(data.leaf).toMatchObject({ wallet: user.wallet.address, paid: 0n })
  const nine = data.leaf.balances.map(({ amount }) => amount) as never
  const args = [
    {
      userId: `0x${data.leaf.user_id.replaceAll('-', '')}`,
      wallet: data.leaf.wallet,
      nonce: `0x${data.leaf.nonce}`,
      paid: data.leaf.paid,
      balances: nine,
    },
    data.siblings.map(({ hash, sum, side }) => ({ hash: `0x${hash}` as const, sum, isLeft: side === 'left' })),
  ] as const
  const check = { ...contractOf(node.chain), functionName: 'check' } as const
  expect(await node.chain.client.readContract({ ...check, args })).toBe(true)
  const more = [{ ...args[0], paid: 1n }, args[1]] as const
  expect(await node.chain.client.readContract({ ...check, args: more })).toBe(false)
})

test('the public file rebuilds to the root on chain, and its hash is in an event of the vault', async () => {
  const { epoch, root } = await readVault(node.chain)
  const reply = await api.http.inject(`/api/trust/tree/${epoch}`)
  expect(reply.statusCode).toBe(200)
  expect(Number(reply.headers['content-length'])).toBe(reply.rawPayload.length)
  const { header } = await rebuildTree(reply.rawPayload, sha256)
  expect(`0x${header.root}`).toBe(root)
  expect(await listAnchors('tree')).toEqual([toHex(sha256(reply.rawPayload))])
  expect((await api.http.inject(`/api/trust/tree/${epoch + 1n}`)).statusCode).toBe(404)
  for (const wrong of ['0', '-1', '1.5', 'latest', '9'.repeat(30)])
    expect((await api.http.inject(`/api/trust/tree/${wrong}`)).statusCode, wrong).toBe(400)
})

/** Runs `npm run mirror` against this address. */
const mirror = (url: string, folder: string) =>
  promisify(execFile)(process.execPath, [join(import.meta.dirname, '../../../../scripts/mirror.ts'), url, folder])

test('a mirror copies what is new, and keeps no file that does not prove itself', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wellplay-mirror-'))
  const url = await api.http.listen({ port: 0, host: '127.0.0.1' })
  const { epoch } = await readVault(node.chain)
  expect((await mirror(url, folder)).stdout).toBe(`1 new, newest epoch ${epoch}\n`)
  expect((await mirror(url, folder)).stdout).toBe(`0 new, newest epoch ${epoch}\n`)
  const file = readFileSync(join(folder, `${epoch}.tree`))
  expect(file.equals((await api.http.inject(`/api/trust/tree/${epoch}`)).rawPayload)).toBe(true)
  const changed = Buffer.from(file)
  changed[file.indexOf(10) + 5] = 255 - (changed[file.indexOf(10) + 5] ?? 0)
  const liar = createServer((request, response) =>
    response.end(request.url?.includes('/tree/') ? changed : JSON.stringify({ data: { snapshot: { epoch: 9 } } })),
  ).listen(0, '127.0.0.1')
  await once(liar, 'listening')
  const { port } = liar.address() as AddressInfo
  await expect(mirror(`http://127.0.0.1:${port}`, folder)).rejects.toThrow('The tree does not lead to its root')
  liar.close()
  expect(readdirSync(folder)).toEqual([`${epoch}.tree`])
  rmSync(folder, { recursive: true })
})

test('a withdrawal in progress is in its leaf and in the total', async () => {
  await withdraw(api, user, '20')
  // Without BNB the payout wallet sends nothing.
  await node.setBalance(node.hot, 0n)
  await newBooks()
  await publishRoot(api.context)
  await settle()
  const { data } = await api.call(trust.proof, {}, user.token)
  const amounts = Object.fromEntries(data.leaf.balances.map(({ account, amount }) => [account, amount]))
  expect(amounts).toMatchObject({ wallet: parseUsdt('80'), pending_payouts: parseUsdt('19') })
  const books = await api.context.db.transaction().execute((tx) => checkInvariants(tx, trustInvariants))
  expect(books.passed).toBe(true)
})

/** A leaf's `paid` and pending payouts, and what the books say was paid in all. */
async function readPaid() {
  const { db, chain } = api.context
  const tree = { chainId: 31337n, vault: fromHex(node.vault.slice(2)), epoch: 1n }
  const books = await readBooks(db, chain, tree)
  const key = await findLeafKey(db, user.number)
  const [part] = books?.parts ?? []
  if (!books || !part || !key) throw new Error('there are no books')
  const nodes = books.parts.map(({ node: own }) => own)
  const { leaf } = await proveLeaf(tree, nodes, { ...part, part: 0 }, user.number, key)
  return { paid: leaf.paid, pending: leaf.balances[7], paidAt: books.paidAt }
}

test('a payout counts as paid once its withdrawal is booked as paid: before, it is still pending in the leaf', async () => {
  await node.setBalance(node.hot, 10n ** 18n)
  for (let pass = 0; pass < 4; pass++) await workOnce(api, node)
  expect(await readPaid()).toEqual({ paid: 19_000_000n, pending: 0n, paidAt: 19_000_000n })
  const setState = (state: string) =>
    runAsOwner(
      api.database.ownerUrl,
      `set session_replication_role = replica; update withdrawals set state = '${state}'`,
    )
  await setState('sent')
  expect(await readPaid()).toEqual({ paid: 0n, pending: 19_000_000n, paidAt: 0n })
  await setState('paid')
})

test('a payout that the books do not know counts at once, so a theft is refused at the next root', async () => {
  const { vault, chain_id } = (await api.call(trust.proof, {}, user.token)).data
  const stolen = `0x${'ab'.repeat(32)}`
  const steal = sql`
    insert into vault_payments (chain_id, vault, id, wallet, micro, block, tx_hash, happened_at)
    values (${chain_id}, ${vault}, ${stolen}, ${node.rich}, 1, 1, ${stolen}, now())`
  await newBooks()
  await steal.execute(api.context.db)
  // The chain has paid nothing, so books that say so are refused.
  await expect(publishRoot(api.context)).rejects.toThrow('the vault would refuse this root: BooksTooOld')
  await runAsOwner(
    api.database.ownerUrl,
    `set session_replication_role = replica; delete from vault_payments where id = '${stolen}'`,
  )
})

test('nothing is published while nothing is new, or while a publication is on its way', async () => {
  await publishRoot(api.context)
  const before = (await listCalls()).length
  await publishDueRoot(api.context)
  expect(await listCalls()).toHaveLength(before)
  await settle()
  expect(await publishRoot(api.context)).toBe(false)
  const trees = await countTrees()
  const real = { ...api.context, config: { ...api.context.config, network: 'bsc' as const } }
  await newBooks()
  await publishDueRoot(real)
  expect(await listCalls()).toHaveLength(before)
  await runAsOwner(
    api.database.ownerUrl,
    `set session_replication_role = replica; update liability_snapshots set taken_at = taken_at - interval '61 minutes'`,
  )
  await publishDueRoot(real)
  await settle()
  expect(await countTrees()).toBe(trees + 1n)
})

test('two workers that publish at once store one tree', async () => {
  await newBooks()
  const stored = await Promise.all([publishRoot(api.context), publishRoot(api.context)])
  expect(stored.toSorted()).toEqual([false, true])
  await settle()
  expect((await listCalls()).every(({ succeeded }) => succeeded)).toBe(true)
})

test('a publication that the vault refuses after all is closed, and the next one takes a new epoch', async () => {
  await newBooks()
  await publishRoot(api.context)
  await node.callVault('guardianKey', ['pause'])
  await node.mine()
  await settle()
  expect((await listCalls()).filter(({ succeeded }) => succeeded === false)).toMatchObject([{ kind: 'publish' }])
  // Paused: nothing can be published, and no tree is built.
  expect(await publishRoot(api.context)).toBe(false)
  await node.callVault('ownerKey', ['unpause'])
  await node.mine()
  const before = (await readVault(node.chain)).epoch
  await newBooks()
  await publishRoot(api.context)
  await settle()
  expect((await readVault(node.chain)).epoch).toBe(before + 2n)
})

test('a stuck publication is signed again with the same nonce, and a nonce used elsewhere does not block the next', async () => {
  await newBooks()
  await publishRoot(api.context)
  await follow(0)
  await follow(0)
  await settle()
  const { db } = api.context
  const { rows } = await sql<{ attempts: bigint }>`
    select count(*) as attempts from vault_call_attempts group by nonce order by nonce desc limit 2`.execute(db)
  expect(rows.every(({ attempts }) => attempts > 1n)).toBe(true)
  await newBooks()
  await publishRoot(api.context)
  // The same key sends something else first.
  await node.sendCall(node.roles.publisherKey, node.rich)
  await node.mine(3)
  await settle()
  await settle()
  const last = (await listCalls()).slice(-2)
  expect(last).toMatchObject([
    { kind: 'publish', succeeded: false },
    { kind: 'tree', succeeded: true },
  ])
  await newBooks()
  await publishRoot(api.context)
  await settle()
  expect((await listCalls()).at(-2)).toMatchObject({ kind: 'publish', succeeded: true })
})

test('after a restore to before a root, the next root continues from the chain', async () => {
  await runAsOwner(
    api.database.ownerUrl,
    `set session_replication_role = replica;
     delete from liability_parts; delete from liability_snapshots; delete from vault_call_attempts; delete from vault_calls`,
  )
  const { epoch } = await readVault(node.chain)
  await newBooks()
  await publishRoot(api.context)
  await settle()
  expect((await readVault(node.chain)).epoch).toBe(epoch + 1n)
  expect((await api.call(trust.proof, {}, user.token)).data.snapshot.epoch).toBe(Number(epoch) + 1)
})

test('anchors of the colour game and the head of the audit log are recorded on chain once', async () => {
  const { db } = api.context
  await sql`select colour_create_chain(100)`.execute(db)
  await Promise.all([anchorDue(api.context), anchorDue(api.context)])
  await anchorDue(api.context)
  await settle()
  const { rows } = await sql<{ anchor: Buffer }>`select anchor from colour_chains`.execute(db)
  expect(await listAnchors('colour')).toEqual(rows.map(({ anchor }) => toHex(anchor)))
  const [head = '', ...others] = await listAnchors('audit')
  expect(others).toEqual([])
  const value = Buffer.from(fromHex(head))
  expect((await sql`select from audit_log where hash = ${value}`.execute(db)).rows).toHaveLength(1)
})
