/**
 * The parts of a node's answer that the chain itself determines. Nodes add fields of their own, and those are neither
 * compared nor passed on.
 */
export function onlyKnown(method: string, result: unknown): unknown {
  const fields = FIELDS[method]
  if (!fields) return result
  if (Array.isArray(result)) return result.map((each) => onlyFields(each, fields))
  return onlyFields(result, fields)
}

function onlyFields(value: unknown, fields: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  const all = value as Record<string, unknown>
  // A missing field is the same as null.
  return Object.fromEntries(
    fields.map((field) => [field, field === 'logs' ? onlyKnown('eth_getLogs', all[field]) : (all[field] ?? null)]),
  )
}

const LOG_FIELDS = [
  'address',
  'topics',
  'data',
  'blockNumber',
  'blockHash',
  'transactionHash',
  'transactionIndex',
  'logIndex',
]

const FIELDS: Record<string, readonly string[]> = {
  eth_getBlockByNumber: blockFields(),
  eth_getBlockByHash: blockFields(),
  eth_getLogs: LOG_FIELDS,
  eth_getTransactionReceipt: [
    ...['transactionHash', 'transactionIndex', 'blockHash', 'blockNumber', 'from', 'to', 'contractAddress', 'status'],
    ...['type', 'gasUsed', 'cumulativeGasUsed', 'effectiveGasPrice', 'logs'],
  ],
  eth_getTransactionByHash: [
    ...[
      'hash',
      'blockHash',
      'blockNumber',
      'transactionIndex',
      'from',
      'to',
      'nonce',
      'input',
      'value',
      'type',
      'chainId',
    ],
    ...['gas', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas', 'accessList', 'v', 'r', 's'],
  ],
}

function blockFields(): readonly string[] {
  return [
    ...['number', 'hash', 'parentHash', 'timestamp', 'baseFeePerGas', 'gasLimit', 'gasUsed', 'miner'],
    ...['stateRoot', 'transactionsRoot', 'receiptsRoot', 'transactions'],
  ]
}
