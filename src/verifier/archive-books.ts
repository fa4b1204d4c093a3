import type { ArchivedEntry } from './archive.ts'

type Head = { version: bigint; balance: bigint }
type Step = { amount: bigint; balance: bigint }

/**
 * The books that entries lead to. Within a transaction, every posting must sum to zero. Each account is a chain: entry n
 * follows from entry n − 1.
 *
 * Entries come in the order of transactions, which is not always that of an account: a transaction can begin first and
 * post second. Then the later version waits for the earlier one, which can even be in the next file.
 */
export function createBooks() {
  const heads = new Map<string, Head>()
  const early = new Map<string, Map<bigint, Step>>()
  let open = new Map<string, bigint>()
  let current = ''

  function follow(account: string, head: Head, version: bigint, { amount, balance }: Step): void {
    if (balance !== head.balance + amount)
      throw new Error(`entry ${version} of account ${account} does not follow from the one before it`)
    head.version = version
    head.balance = balance
  }

  function addStep(account: string, version: bigint, step: Step): void {
    const head = heads.get(account) ?? { version: 0n, balance: 0n }
    heads.set(account, head)
    const waiting = early.get(account) ?? new Map<bigint, Step>()
    if (version <= head.version || waiting.has(version))
      throw new Error(`entry ${version} of account ${account} is there twice`)
    if (version > head.version + 1n) early.set(account, waiting.set(version, step))
    else {
      follow(account, head, version, step)
      for (let next = waiting.get(head.version + 1n); next; next = waiting.get(head.version + 1n)) {
        waiting.delete(head.version + 1n)
        follow(account, head, head.version + 1n, next)
      }
      if (waiting.size === 0) early.delete(account)
    }
  }

  function endTransaction(): void {
    for (const [posting, sum] of open) if (sum !== 0n) throw new Error(`${posting} sums to ${sum}, not to zero`)
    open = new Map()
  }

  return {
    endTransaction,
    add([tx, account, version, amount, balanceAfter, , kind, reference]: ArchivedEntry): void {
      if (tx !== current) endTransaction()
      current = tx
      const posting = `${kind} ${reference}`
      open.set(posting, (open.get(posting) ?? 0n) + BigInt(amount))
      addStep(account, BigInt(version), { amount: BigInt(amount), balance: BigInt(balanceAfter) })
    },
    /** How many entries wait for an earlier one of their account. */
    waiting: () => [...early.values()].reduce((count, steps) => count + steps.size, 0),
  }
}
