import { brand } from './brand.ts'

/**
 * An operator's act: the command, an id, the reason, and the command's arguments. It is flat and all values are text,
 * so that its JSON has one form only.
 */
export type OperatorAct = { id: string; act: string; why: string; [argument: string]: string }

/** The text whose hash the operators sign: JSON with sorted keys. */
export const operatorActText = (act: OperatorAct): string =>
  JSON.stringify(Object.fromEntries(Object.entries(act).toSorted(([a], [b]) => (a < b ? -1 : 1))))

/**
 * The arguments as a person reads them. Leaves out the bytes of a chain transaction, because its hash identifies them,
 * and complete terms, because their changes are named. The digest covers both.
 */
export const operatorActDetails = ({ id: _id, act: _act, why: _why, raw: _raw, terms: _terms, ...args }: OperatorAct) =>
  Object.keys(args)
    .toSorted()
    .map((name) => `${name}: ${args[name]}`)
    .join('; ')

/** The message that the operator's wallet shows and signs (EIP-712, R30). `digest` is the SHA-256 of the act's text. */
export const operatorActTypedData = (act: OperatorAct, digest: `0x${string}`, chainId: number) => ({
  domain: { name: brand.name, version: '1', chainId },
  types: {
    OperatorAct: [
      { name: 'act', type: 'string' },
      { name: 'details', type: 'string' },
      { name: 'why', type: 'string' },
      { name: 'digest', type: 'bytes32' },
    ],
  } as const,
  primaryType: 'OperatorAct' as const,
  message: { act: act.act, details: operatorActDetails(act), why: act.why, digest },
})
