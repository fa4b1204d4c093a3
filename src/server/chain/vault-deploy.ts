import { createPublicClient, createWalletClient, erc20Abi, type Hex, http, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Address } from '../../protocol/ids.ts'
import { formatUsdt, micro } from '../../protocol/money.ts'
import { encodePlan, readVaultCode, type VaultPlan, vaultCode } from '../embedded/vault-code.ts'
import { type Chain, createChain } from './client.ts'
import { isOurCode, readVaultKeys, vaultKeys } from './vault.ts'

/** What an operator verifies before a vault is deployed, and the hash of all of it. */
export async function describeVault(rpc: string, plan: VaultPlan): Promise<{ rows: string[][]; hash: Hex }> {
  const client = createPublicClient({ transport: http(rpc) })
  const query = { address: plan.token, abi: erc20Abi } as const
  const [chainId, symbol, decimals] = await Promise.all([
    client.getChainId(),
    client.readContract({ ...query, functionName: 'symbol' }),
    client.readContract({ ...query, functionName: 'decimals' }),
  ])
  const usdt = (amount: bigint) => `${formatUsdt(micro(amount))} USDT`
  const rows = [
    ['chain', String(chainId)],
    ['token', `${plan.token}: ${symbol}, ${decimals} decimals`],
    ...vaultKeys.map((key) => [key, plan[key]]),
    ['limit of 24 hours', usdt(plan.dailyMax)],
    ['limit of one payout', usdt(plan.singleMax)],
    ['floor', usdt(plan.floor)],
    ['hash of contracts/Vault.hex', keccak256(readVaultCode())],
    ['constructor arguments', encodePlan(plan)],
  ]
  return { rows, hash: keccak256(`${vaultCode(plan)}${chainId.toString(16).padStart(64, '0')}`) }
}

/** Deploys the vault and returns its address; undefined if the result is not what was planned. */
export async function deployVault(rpc: string, plan: VaultPlan, key: Hex): Promise<Address | undefined> {
  const client = createPublicClient({ transport: http(rpc), pollingInterval: 500 })
  const wallet = createWalletClient({ account: privateKeyToAccount(key), transport: http(rpc) })
  const hash = await wallet.sendTransaction({ data: vaultCode(plan), chain: null })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash })
  const vault = contractAddress?.toLowerCase() as Address | undefined
  return vault && (await isPlanned(rpc, vault, plan)) ? vault : undefined
}

async function isPlanned(rpcUrl: string, vault: Address, plan: VaultPlan): Promise<boolean> {
  const chain = createChain({ rpcUrl, otherRpcUrls: [] as string[], vault } as Chain['settings'])
  const keys = await readVaultKeys(chain)
  return (await isOurCode(chain)) && vaultKeys.every((key) => keys[key] === plan[key])
}
