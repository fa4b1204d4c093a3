/** First 6 and last 4 characters, as in the spec. Imports nothing, to keep schemas out of the landing page. */
export const shortAddress = (address: string): string =>
  address.length <= 12 ? address : `${address.slice(0, 6)}...${address.slice(-4)}`
