/** Local storage key of the wallet that the session was started with, so that a reload can reconnect to it. */
const KEY = 'wallet'

export const readSessionWallet = (): string => localStorage.getItem(KEY) ?? ''
export const writeSessionWallet = (id: string): void => localStorage.setItem(KEY, id)
