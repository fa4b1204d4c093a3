import { createHmac, hash } from 'node:crypto'

export const hmac = (key: Uint8Array, message: string): Uint8Array => createHmac('sha256', key).update(message).digest()
export const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer')
