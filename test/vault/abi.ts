import { parseAbi } from 'viem'

export const tokenAbi = parseAbi([
  'function mint(address to, uint256 value)',
  'function setManner(uint8 manner)',
  'function setCall(address target, bytes data)',
  'function wasCallRefused() view returns (bool)',
  'function balanceOf(address) view returns (uint256)',
])
