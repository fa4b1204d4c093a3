import type { Page } from '@playwright/test'

/** What the browser keeps about the wallet that signed in last. Undefined without one. */
export const readRemembered = (page: Page): Promise<string | undefined> =>
  page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const opened = indexedDB.open('wellplay')
        opened.onerror = () => reject(opened.error)
        opened.onsuccess = () => {
          const read = opened.result.transaction('keys').objectStore('keys').get('last-wallet')
          read.onsuccess = () => resolve(read.result)
          opened.result.close()
        }
      }),
  )

/** Makes the browser remember a wallet, after the app has created its store. */
export const remember = (page: Page, wallet: { id: string; name: string; address: string }): Promise<void> =>
  page.evaluate(
    (text) =>
      new Promise((resolve, reject) => {
        const opened = indexedDB.open('wellplay')
        opened.onerror = () => reject(opened.error)
        opened.onsuccess = () => {
          const change = opened.result.transaction('keys', 'readwrite')
          change.objectStore('keys').put(text, 'last-wallet')
          change.oncomplete = () => resolve()
          opened.result.close()
        }
      }),
    JSON.stringify(wallet),
  )
