/** The part of the package that receivers.ts uses. It brings no types. */
declare module 'web-push-testing/src/PushApiModel.js' {
  type Headers = Record<'encoding' | 'encryption' | 'cryptoKey' | 'authorization' | 'ttl', string | undefined>

  export class PushApiModel {
    notifyUrl: string
    subscribe(options: { applicationServerKey: string }): Promise<{
      endpoint: string
      keys: { p256dh: string; auth: string }
    }>
    /** Throws if the push service would refuse the message, or the browser could not decrypt it. */
    handleNotification(clientHash: string, headers: Headers, body: Buffer): Promise<void>
    getNotifications(of: { clientHash: string }): { messages: string[] }
  }
}
