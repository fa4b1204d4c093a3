import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPublicClient, erc20Abi, http } from 'viem'
import { afterAll, expect, test, vi } from 'vitest'
import { startAnvil } from './anvil.ts'
import { developmentChain } from './contracts.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'wellplay-anvil-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

const connect = (rpcUrl: string) =>
  createPublicClient({ transport: http(rpcUrl, { retryCount: 0, timeout: 60_000 }), cacheTime: 0 })
const block = (rpcUrl: string, blockNumber: bigint) => connect(rpcUrl).getBlock({ blockNumber })

/** A copy of the files on disk: what a machine would find after a power loss at this moment. */
const copyOfDisk = () =>
  ['snapshot.json', 'blocks.jsonl'].map((name) => [name, readFileSync(join(dataDir, name))] as const)

/** Kills the node of this test, found by the state file it was started from. */
function killNode(): void {
  const rows = execFileSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).trim().split('\n')
  const ours = rows.filter((row) => row.includes(join(dataDir, 'state.json')))
  expect(ours.length).toBeGreaterThan(0)
  for (const row of ours) process.kill(Number.parseInt(row, 10), 'SIGKILL')
}

test('the chain has its tokens, its pair and a filled faucet, at the same addresses every time', async () => {
  const node = await startAnvil({ dataDir, blockTimeSeconds: 0.2 })
  const chain = await developmentChain(node.rpcUrl)
  const client = connect(node.rpcUrl)
  const usdt = { address: chain.tokens.usdt.address, abi: erc20Abi } as const
  expect(await client.readContract({ ...usdt, functionName: 'decimals' })).toBe(18)
  expect(await client.readContract({ address: chain.tokens.jw.address, abi: erc20Abi, functionName: 'decimals' })).toBe(
    10,
  )
  const supply = () => client.readContract({ ...usdt, functionName: 'totalSupply' })
  expect(await supply()).toBe(1_000_000_000n * 10n ** 18n)
  expect(await developmentChain(node.rpcUrl)).toEqual(chain)
  expect(await supply()).toBe(1_000_000_000n * 10n ** 18n)
  await node.stop()
})

test('after kill −9 every final block and every balance is still there, and the chain continues', async () => {
  const first = await startAnvil({ dataDir, blockTimeSeconds: 0.2 })
  const chain = await developmentChain(first.rpcUrl)
  const start = await connect(first.rpcUrl).getBlockNumber()
  await vi.waitUntil(async () => (await connect(first.rpcUrl).getBlockNumber()) > start + 5n, { timeout: 120_000 })
  const final = await connect(first.rpcUrl).getBlock({ blockTag: 'finalized' })
  const disk = copyOfDisk()
  await first.stop()
  for (const [name, content] of disk) writeFileSync(join(dataDir, name), content)
  appendFileSync(join(dataDir, 'blocks.jsonl'), '{"number":"0x7')

  const second = await startAnvil({ dataDir, blockTimeSeconds: 0.2 })
  expect((await block(second.rpcUrl, final.number)).hash).toBe(final.hash)
  expect(await developmentChain(second.rpcUrl)).toEqual(chain)
  const head = await connect(second.rpcUrl).getBlock()
  expect(head.number).toBeGreaterThan(final.number)
  // Each block adds at least a second of chain time, and here one is mined every 0.2 s: that far it may be ahead.
  const now = Date.now() / 1000
  const latest = Math.max(now, Number(final.timestamp)) + Number(head.number - final.number)
  expect(Number(head.timestamp)).toBeGreaterThan(now - 60)
  expect(Number(head.timestamp)).toBeLessThanOrEqual(latest)
  const atFinalized = { address: chain.tokens.usdt.address, abi: erc20Abi, blockTag: 'finalized' } as const
  const args = [chain.pair] as const
  expect(
    await connect(second.rpcUrl).readContract({ ...atFinalized, functionName: 'balanceOf', args }),
  ).toBeGreaterThan(0n)
  await second.stop()
})

test('replacing or even killing the node fails no request and loses no block', async () => {
  const node = await startAnvil({ dataDir, blockTimeSeconds: 0.1, blocksPerNode: 5 })
  const client = connect(node.rpcUrl)
  const first = await client.getBlock({ blockTag: 'finalized' })
  const reached = (number: bigint) =>
    vi.waitUntil(async () => (await client.getBlock({ blockTag: 'finalized' })).number >= number, { timeout: 120_000 })
  await reached(first.number + 12n)
  const before = await client.getBlock({ blockTag: 'finalized' })
  killNode()
  await reached(before.number + 3n)
  for (let number = first.number; number <= before.number; number++)
    expect((await block(node.rpcUrl, number + 1n)).parentHash).toBe((await block(node.rpcUrl, number)).hash)
  expect((await block(node.rpcUrl, before.number)).hash).toBe(before.hash)
  await node.stop()
})

test('if a snapshot is broken, the one before it is loaded', async () => {
  writeFileSync(join(dataDir, 'snapshot.json'), '{"block":{"numb')
  const node = await startAnvil({ dataDir, blockTimeSeconds: 0.2 })
  expect(await connect(node.rpcUrl).getCode({ address: (await developmentChain(node.rpcUrl)).pair })).toBeDefined()
  await node.stop()
})

test('a port that is taken is reported in one sentence', async () => {
  const node = await startAnvil({ dataDir, blockTimeSeconds: 0.2 })
  const port = Number(new URL(node.rpcUrl).port)
  await expect(startAnvil({ dataDir, port })).rejects.toThrow(`Port ${port} for the development chain is taken.`)
  await node.stop()
})
