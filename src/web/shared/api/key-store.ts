/** Keys are stored in IndexedDB: it can hold non-extractable keys, and signing out does not clear it. */
const open = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open('wellplay', 1)
    request.onupgradeneeded = () => request.result.createObjectStore('keys')
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

async function withStore<Result>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await open()
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction('keys', mode)
      const request = work(transaction.objectStore('keys'))
      // Not when the request succeeds: a page that closes, or a full disk, can still undo it.
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error)
    })
  } finally {
    database.close()
  }
}

export const readKey = <Key>(name: string): Promise<Key | undefined> =>
  withStore('readonly', (store) => store.get(name))
export const deleteKey = (name: string): Promise<undefined> => withStore('readwrite', (store) => store.delete(name))
export const writeKey = (name: string, key: CryptoKeyPair | string): Promise<IDBValidKey> =>
  withStore('readwrite', (store) => store.put(key, name))
