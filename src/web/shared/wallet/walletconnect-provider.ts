import { SignClient } from '@walletconnect/sign-client'
import { brand } from '../../../protocol/brand.ts'
import type { Provider } from './discovery.ts'
import { callNode } from './node.ts'
import { showPairing } from './pairing.ts'

type Client = Awaited<ReturnType<typeof SignClient.init>>
type Session = ReturnType<Client['session']['getAll']>[number]
type Listener = (value: unknown) => void

/** What the wallet on the other device does. Everything else is read from our node. */
const METHODS = ['personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction']
const EVENTS = ['accountsChanged', 'chainChanged']
/** EIP-1193. WalletConnect has its own codes for a user who declines: 5000 to 5003. */
const REJECTED = 4001
const UNKNOWN_CHAIN = 4902
/** The library tries for much longer, without a word. */
const REACH_MS_MAX = 15_000

/** A wallet on another device as an EIP-1193 provider. A session is for our network only, so it is never on another. */
export async function createProvider(projectId: string, chainId: number): Promise<Provider> {
  const chain = `eip155:${chainId}`
  const metadata = { name: brand.name, description: brand.tagline, url: location.origin, icons: [] }
  const client = await reach(SignClient.init({ projectId, metadata, telemetryEnabled: false, logger: 'silent' }))
  const listeners = new Set<[event: string, listener: Listener]>()
  const accountsOf = (session: Session | undefined): string[] =>
    (session?.namespaces['eip155']?.accounts ?? []).flatMap((account) =>
      account.startsWith(`${chain}:`) ? [account.slice(chain.length + 1)] : [],
    )
  const current = (): Session | undefined => client.session.getAll().findLast((one) => accountsOf(one).length > 0)
  const tellAccounts = () => {
    for (const [event, listener] of listeners) if (event === 'accountsChanged') listener(accountsOf(current()))
  }
  for (const event of ['session_update', 'session_delete', 'session_expire'] as const) client.on(event, tellAccounts)

  async function request({ method, params = [] }: { method: string; params?: unknown }): Promise<unknown> {
    if (method === 'eth_chainId') return `0x${chainId.toString(16)}`
    if (method === 'eth_accounts') return accountsOf(current())
    if (method === 'eth_requestAccounts') return accountsOf(current() ?? (await pair(client, chain)))
    if (method === 'wallet_switchEthereumChain' || method === 'wallet_addEthereumChain') {
      const [asked] = params as [{ chainId: string }]
      if (Number(asked.chainId) === chainId) return null
      throw Object.assign(new Error('The wallet is connected for another network'), { code: UNKNOWN_CHAIN })
    }
    if (!METHODS.includes(method)) return callNode(method, params)
    const session = current()
    if (!session) throw new Error('The connection to your wallet has ended. Connect it again.')
    return client.request({ topic: session.topic, chainId: chain, request: { method, params } })
  }

  return {
    request: (call) => request(call).catch(rethrow),
    on: (event, listener) => void listeners.add([event, listener]),
    removeListener(event, listener) {
      for (const one of listeners) if (one[0] === event && one[1] === listener) listeners.delete(one)
    },
  }
}

/** Shows a code to scan or open, and waits until the wallet approves, or the user gives up. */
async function pair(client: Client, chain: string): Promise<Session> {
  const namespace = { chains: [chain], methods: METHODS, events: EVENTS }
  const { uri = '', approval } = await reach(client.connect({ optionalNamespaces: { eip155: namespace } }))
  const gaveUp = Promise.withResolvers<never>()
  showPairing({ uri, cancel: () => gaveUp.reject(rejection()) })
  const approved = approval()
  try {
    const session = await Promise.race([approved, gaveUp.promise])
    if (session.namespaces['eip155']?.chains?.includes(chain) === false) {
      await endSession(client, session)
      throw new Error('This wallet does not support our network. Choose another one.')
    }
    return session
  } catch (error) {
    // A wallet that approves after the user gave up must not stay connected.
    approved.then(
      (late) => endSession(client, late),
      () => undefined,
    )
    throw error
  } finally {
    showPairing(undefined)
  }
}

/** Ends the wait for a relay that does not answer. The user has not seen a code yet, so nothing can be approved later. */
const reach = <Result>(work: Promise<Result>): Promise<Result> => {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const words = 'WalletConnect cannot be reached. Try again, or use another wallet.'
  const timer = setTimeout(() => reject(new Error(words)), REACH_MS_MAX)
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

const endSession = (client: Client, { topic }: Session): Promise<void> =>
  client.disconnect({ topic, reason: { code: 6000, message: 'User disconnected.' } }).catch(() => undefined)

const rejection = () => Object.assign(new Error('User rejected the request.'), { code: REJECTED })

function rethrow(error: unknown): never {
  const { code } = error as { code?: number }
  throw code !== undefined && code >= 5000 && code <= 5003 ? rejection() : error
}
