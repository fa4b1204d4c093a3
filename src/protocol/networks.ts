/** The networks a deployment can use, by the names that people read. */
export const networkNames = {
  development: 'Development chain',
  'bsc-testnet': 'BSC Testnet',
  bsc: 'BNB Smart Chain',
} as const

export type Network = keyof typeof networkNames

/** What a page says about its network. Only one of them has money of value. */
export const networkText = (network: Network): string =>
  network === 'bsc' ? `${networkNames.bsc} · real money` : `${networkNames[network]} · test money only`
