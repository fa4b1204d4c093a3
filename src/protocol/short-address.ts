/** First 6 and last 4 characters, as the spec shows addresses. Imports nothing: the landing page brings no schemas. */
export const shortAddress = (address: string): string =>
  address.length <= 12 ? address : `${address.slice(0, 6)}...${address.slice(-4)}`
