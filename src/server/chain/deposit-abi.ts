import { parseAbi } from 'viem'

/** The calls of contracts/DepositFactory.sol. The zero address as token stands for the network's own coin. */
export const depositFactoryAbi = parseAbi([
  'function sweep(address vault, address token, address[] wallets) returns (uint256[] amounts)',
  'function held(address vault, address token, address[] wallets) view returns (uint256[] amounts)',
  'function addressOf(address vault, address wallet) view returns (address)',
])

/** The call of contracts/DepositAddress.sol that moves something. */
export const depositAddressAbi = parseAbi(['function sweep(address token) returns (uint256 amount)'])

/** More than a call of the factory, and each address that it deploys and sweeps, ever needs. Unused gas is not charged. */
export const SWEEP_GAS_BASE = 100_000n
export const SWEEP_GAS_EACH = 650_000n
