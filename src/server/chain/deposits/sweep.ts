import { sql } from 'kysely'
import { encodeFunctionData, type Hex, keccak256 } from 'viem'
import type { Address } from '../../../protocol/ids.ts'
import { type Usdt, WEI_PER_MICRO } from '../../../protocol/money.ts'
import { CREATE2_PROXY, proxyCall, readFactoryCode } from '../../embedded/deposit-code.ts'
import { type Db, transaction } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Chain } from '../client.ts'
import { depositFactoryAbi, SWEEP_GAS_BASE, SWEEP_GAS_EACH } from '../deposit-abi.ts'
import {
  lockPublisher,
  publisherAddress,
  readSigningTerms,
  type SigningTerms,
  signCall,
  type VaultCall,
} from '../publisher.ts'
import { contractOf } from '../vault.ts'
import type { WalletOwners } from './book.ts'
import { DEPOSIT_FACTORY_ADDRESS, ownerOf } from './personal.ts'

export type Sweeper = { db: Db; chain: Chain; log: Log; owners: WalletOwners; minimum: Usdt }

/** Addresses whose balances one call reads: all that were asked for lately, and the ones that were read longest ago. */
const ASKED_MAX = 1_000
const OTHERS_MAX = 500
const SWEPT_MAX = 20
const FACTORY_GAS = 1_500_000n
/** Sweeps leave the publisher enough BNB for this many roots, so that a flood of small deposits cannot stop the roots. */
const ROOTS_KEPT = 200n
const ROOT_GAS = 300_000n

const factory = { address: DEPOSIT_FACTORY_ADDRESS, abi: depositFactoryAbi } as const

/**
 * One pass: finds deposit addresses that hold money and signs one call that moves it to the vault. followCalls sends it.
 * It reads balances, not events, so there is no position to lose: what a restart or a reorg changes, the next pass sees.
 * A sweep can only move money to where it belongs, so payments need not be final before it. The credit waits until the
 * sweep itself is.
 */
export async function sweepDeposits(sweeper: Sweeper): Promise<void> {
  const { db, chain } = sweeper
  if (await isSweeping(db, chain)) return
  const wallets = await takeWallets(sweeper)
  if (wallets.length === 0 || (await areExitsOpen(chain))) return
  if (!(await chain.client.getCode({ address: factory.address }))) return signSweep(sweeper, factoryCall())
  const held = await readHeld(chain, wallets)
  const full = wallets.filter((_, at) => (held[at] ?? 0n) >= sweeper.minimum * WEI_PER_MICRO).slice(0, SWEPT_MAX)
  const movable = await listMovable(chain, full)
  if (movable.length > 0) await signSweep(sweeper, sweepCall(chain, movable))
}

/** From then on a sweep pays the user's own wallet, and anyone can call it. */
export const areExitsOpen = async (chain: Chain): Promise<boolean> =>
  (await chain.client.readContract({ ...contractOf(chain), functionName: 'openedAt' })) > 0n

const readHeld = ({ client, settings }: Chain, wallets: readonly Address[]): Promise<readonly bigint[]> =>
  client.readContract({ ...factory, functionName: 'held', args: [settings.vault, settings.usdt, wallets] })

async function takeWallets({ db, chain, owners }: Sweeper): Promise<Address[]> {
  const { chainId, vault } = chain.settings
  const { rows } = await sql<{ wallet: Address }>`
    with ours as (select * from chain_deposit_addresses where chain_id = ${chainId} and vault = ${vault}),
    taken as (
      (select address from ours where asked_at > now() - interval '1 day' order by asked_at desc limit ${ASKED_MAX})
      union
      (select address from ours order by read_at nulls first limit ${OTHERS_MAX})
    ), read as (
      update chain_deposit_addresses d set read_at = now() from taken where d.address = taken.address
      returning d.user_number, d.wallet)
    select wallet from read where user_number = ${ownerOf(owners, 'read.wallet')}`.execute(db)
  return rows.map(({ wallet }) => wallet)
}

/** Has a node run the sweep, so that no gas is spent on addresses that cannot be swept now. */
async function listMovable(chain: Chain, wallets: Address[]): Promise<Address[]> {
  if (wallets.length === 0) return []
  const { vault, usdt } = chain.settings
  const account = publisherAddress(chain)
  const { result } = await chain.client.simulateContract({
    ...factory,
    functionName: 'sweep',
    args: [vault, usdt, wallets],
    account,
    gas: gasFor(wallets.length),
  })
  return wallets.filter((_, at) => (result[at] ?? 0n) > 0n)
}

const gasFor = (addresses: number): bigint => SWEEP_GAS_BASE + BigInt(addresses) * SWEEP_GAS_EACH

const callOf = (to: Address, data: Hex, gas: bigint): VaultCall => ({
  kind: 'sweep',
  value: keccak256(data, 'bytes'),
  to,
  data,
  gas,
})

const factoryCall = () => callOf(CREATE2_PROXY, proxyCall(readFactoryCode()), FACTORY_GAS)

function sweepCall({ settings }: Chain, wallets: Address[]): VaultCall {
  const args = [settings.vault, settings.usdt, wallets] as const
  const data = encodeFunctionData({ ...factory, functionName: 'sweep', args })
  return callOf(factory.address, data, gasFor(wallets.length))
}

async function signSweep({ db, chain, log }: Sweeper, call: VaultCall): Promise<void> {
  const terms = await readSigningTerms(chain)
  if (!(await canAfford(chain, call, terms))) {
    log.warn({ publisher: publisherAddress(chain) }, 'the publisher has too little BNB to sweep deposit addresses')
    return
  }
  await transaction(db, async (tx) => {
    await lockPublisher(tx, chain)
    // Another worker may have signed one since we looked.
    if (!(await isSweeping(tx, chain))) await signCall(tx, chain, call, terms)
  })
}

async function canAfford(chain: Chain, { gas = 0n }: VaultCall, { fees }: SigningTerms): Promise<boolean> {
  const held = await chain.client.getBalance({ address: publisherAddress(chain) })
  return held >= (gas + ROOTS_KEPT * ROOT_GAS) * fees.feeMaxWei
}

/** One sweep at a time: until it is final, balances still change. */
async function isSweeping(db: Db, { settings }: Chain): Promise<boolean> {
  const { rows } = await sql`
    select from vault_calls where kind = 'sweep' and closed_at is null and chain_id = ${settings.chainId}
    limit 1`.execute(db)
  return rows.length > 0
}
