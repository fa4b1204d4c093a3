import { createHash } from 'node:crypto'
import { recoverTypedDataAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Address } from '../../protocol/ids.ts'
import { type OperatorAct, operatorActText, operatorActTypedData } from '../../protocol/operators.ts'

export type OperatorKey = `0x${string}`

export const newOperatorKey = (): OperatorKey => generatePrivateKey()
export const addressOfKey = (key: OperatorKey): Address => privateKeyToAccount(key).address.toLowerCase() as Address

export const digestOf = (act: OperatorAct): Buffer => createHash('sha256').update(operatorActText(act)).digest()

const typedDataOf = (act: OperatorAct, chainId: number) =>
  operatorActTypedData(act, `0x${digestOf(act).toString('hex')}`, chainId)

export const signAct = (key: OperatorKey, act: OperatorAct, chainId: number): Promise<string> =>
  privateKeyToAccount(key).signTypedData(typedDataOf(act, chainId))

/** The address whose key signed exactly this act on this chain; undefined if the signature is malformed. */
export async function findSigner(act: OperatorAct, signature: string, chainId: number): Promise<Address | undefined> {
  const data = { ...typedDataOf(act, chainId), signature: signature as `0x${string}` }
  const signer = await recoverTypedDataAddress(data).catch(() => undefined)
  return signer?.toLowerCase() as Address | undefined
}

/** The typed data as JSON for a wallet on another machine (`eth_signTypedData_v4`). */
export function typedDataText(act: OperatorAct, chainId: number): string {
  const { types, ...data } = typedDataOf(act, chainId)
  const EIP712Domain = [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
  ]
  return JSON.stringify({ types: { EIP712Domain, ...types }, ...data }, null, 2)
}
