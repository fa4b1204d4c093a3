/**
 * What a user chose on the page before the sign-up page. `again`: sign in with the last wallet. `switch`: sign in with the
 * account that the last wallet is set to now. `another`: choose a wallet. It is only kept in memory, so neither a reload
 * nor a link from elsewhere asks the wallet for anything.
 */
type Entry = 'again' | 'switch' | 'another'

let chosen: Entry | undefined

export const chosenEntry = (): Entry | undefined => chosen
export const chooseEntry = (entry: Entry): void => {
  chosen = entry
}
export const forgetEntry = (): void => {
  chosen = undefined
}
