import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { privateKeyToAccount } from 'viem/accounts'
import type { Hash } from '../chain/tables.ts'

/**
 * A remote signer in a process of its own, as web3signer would be. Its arguments are private keys. The message it gets is
 * how it behaves from then on; the messages it sends are its port, and then each transaction that it has signed.
 */
export type SignerMood =
  | 'honest'
  | 'silent after signing'
  | 'pays more'
  | 'changes the nonce'
  | 'uses another key'
  | 'refuses'

type Asked = { from: Hash; to: Hash; data: Hash } & Record<
  'nonce' | 'gas' | 'maxFeePerGas' | 'maxPriorityFeePerGas' | 'chainId',
  Hash
>

const accounts = process.argv.slice(2).map((key) => privateKeyToAccount(key as Hash))
let mood: SignerMood = 'honest'
process.on('message', (next: SignerMood) => {
  mood = next
  process.send?.({ mood })
})

async function sign(asked: Asked): Promise<Hash> {
  const owner = accounts.find(({ address }) => address.toLowerCase() === asked.from.toLowerCase())
  const account = mood === 'uses another key' ? accounts.find((each) => each !== owner) : owner
  if (!account || mood === 'refuses') throw new Error('the signer refuses')
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: Number(asked.chainId),
    nonce: Number(asked.nonce) + (mood === 'changes the nonce' ? 1 : 0),
    to: asked.to,
    data: mood === 'pays more' ? `${asked.data.slice(0, -1) as Hash}f` : asked.data,
    gas: BigInt(asked.gas),
    maxFeePerGas: BigInt(asked.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(asked.maxPriorityFeePerGas),
  })
  process.send?.({ raw })
  return raw
}

async function answer(body: string): Promise<object | undefined> {
  const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: [Asked] }
  try {
    const result = method === 'eth_accounts' ? accounts.map(({ address }) => address) : await sign(params[0])
    return mood === 'silent after signing' ? undefined : { jsonrpc: '2.0', id, result }
  } catch (error) {
    return { jsonrpc: '2.0', id, error: { code: -32_000, message: String(error) } }
  }
}

const server = createServer((request, response) => {
  const reply = async () => {
    const said = await answer(await text(request))
    if (said) response.setHeader('content-type', 'application/json').end(JSON.stringify(said))
  }
  reply().catch(() => response.destroy())
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
