import type { BrowserContext, Page } from '@playwright/test'
import { type Hex, hexToNumber, numberToHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

/** Anything that a wallet shows to its user before it acts. */
const SHOWN = /sign|send|requestAccounts|^wallet_/

type Request = { method: string; params: unknown[] }

/**
 * A wallet as browsers inject it (EIP-1193, EIP-6963). Its keys are in the test, and all pages of the context have it.
 * `chainId` is the network it is on; it only knows that one. With `isLegacy` it sets `window.ethereum` instead.
 */
export class InjectedWallet {
  readonly accounts: PrivateKeyAccount[]
  /** The requests that the wallet showed to its user. */
  readonly shown: Request[] = []
  /** Says that it switched the network, and does not. */
  refusesToSwitch = false
  private readonly known: Set<number>
  private chainId: number

  constructor(chainId: number, keys: Hex[] = [generatePrivateKey()]) {
    this.accounts = keys.map((key) => privateKeyToAccount(key))
    this.chainId = chainId
    this.known = new Set([chainId])
  }

  get account(): PrivateKeyAccount {
    const [account] = this.accounts
    if (!account) throw new Error('the wallet has no account')
    return account
  }

  async install(context: BrowserContext, name = 'Test wallet', isLegacy = false): Promise<void> {
    await context.exposeBinding('askTestWallet', ({ page }, method: string, params: unknown[]) =>
      this.answer(page, { method, params }).then(
        (result) => ({ result }),
        ({ code, message }) => ({ error: { code, message } }),
      ),
    )
    await context.addInitScript(announce, { name, isLegacy })
  }

  /** The user chooses another account or network in the wallet. */
  async select(page: Page, account: PrivateKeyAccount): Promise<void> {
    this.accounts.splice(this.accounts.indexOf(account), 1)
    this.accounts.unshift(account)
    await this.emit(page, 'accountsChanged', [account.address])
  }

  async changeNetwork(page: Page, chainId: number): Promise<void> {
    this.chainId = chainId
    await this.emit(page, 'chainChanged', numberToHex(chainId))
  }

  /** The wallet no longer knows a network. */
  forget(chainId: number): void {
    this.known.delete(chainId)
  }

  private emit(page: Page, event: string, value: unknown): Promise<void> {
    return page.evaluate(
      ([name, detail]) => (window as unknown as TestWindow).emitFromTestWallet(name as string, detail),
      [event, value],
    )
  }

  private async answer(page: Page, request: Request): Promise<unknown> {
    const { method, params } = request
    if (SHOWN.test(method)) this.shown.push(request)
    const [first, second] = params as [Hex & { chainId: Hex }, Hex & string]
    switch (method) {
      case 'eth_accounts':
      case 'eth_requestAccounts':
        return this.accounts.map(({ address }) => address)
      case 'eth_chainId':
        return numberToHex(this.chainId)
      case 'wallet_switchEthereumChain':
        if (!this.known.has(hexToNumber(first.chainId)))
          throw Object.assign(new Error('Unrecognized chain ID'), { code: 4902 })
        if (!this.refusesToSwitch) await this.changeNetwork(page, hexToNumber(first.chainId))
        return null
      case 'wallet_addEthereumChain':
        this.known.add(hexToNumber(first.chainId))
        return null
      case 'personal_sign':
        return this.account.signMessage({ message: { raw: first } })
      case 'eth_signTypedData_v4':
        return this.account.signTypedData(JSON.parse(second))
      default:
        throw Object.assign(new Error(`${method} is not supported`), { code: 4200 })
    }
  }
}

type Reply = { result?: unknown; error?: { code: number; message: string } }
type TestWindow = {
  askTestWallet(method: string, params: unknown): Promise<Reply>
  emitFromTestWallet(event: string, value: unknown): void
}

/** Runs in the page, before its own code. */
function announce({ name, isLegacy }: { name: string; isLegacy: boolean }): void {
  const page = window as unknown as TestWindow
  const listeners: [event: string, listener: (value: unknown) => void][] = []
  const provider = {
    async request({ method, params = [] }: { method: string; params?: unknown }) {
      const { result, error } = await page.askTestWallet(method, params)
      if (error) throw Object.assign(new Error(error.message), { code: error.code })
      return result
    },
    on: (event: string, listener: (value: unknown) => void) => listeners.push([event, listener]),
    removeListener(event: string, listener: (value: unknown) => void) {
      const at = listeners.findIndex(([known, one]) => known === event && one === listener)
      if (at >= 0) listeners.splice(at, 1)
    },
  }
  page.emitFromTestWallet = (event, value) => {
    for (const [known, listener] of [...listeners]) if (known === event) listener(value)
  }
  if (isLegacy) {
    Object.assign(window, { ethereum: provider })
    return
  }
  const info = { uuid: crypto.randomUUID(), rdns: 'org.example.test', name, icon: 'data:image/svg+xml,' }
  const detail = Object.freeze({ info, provider })
  window.addEventListener('eip6963:requestProvider', () =>
    window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail })),
  )
}
