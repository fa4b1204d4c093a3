import { aUser, createTestWallet } from '../../src/server/testing/api.ts'
import { askForWallet, signedChange } from '../../src/server/testing/wallet-changes.ts'
import type { Example, Scene } from './examples.ts'

export const userExamples: Record<string, (scene: Scene) => Promise<Example>> = {
  'users.chooseAvatar': async ({ api }) => ({
    token: (await aUser(api)).token,
    body: { avatar: 'cat' },
    other: { body: { avatar: null } },
    withoutKey: 'repeat',
  }),
  'users.askForWallet': async ({ api }) => {
    const user = await aUser(api)
    const [body, other] = [
      await signedChange(user, createTestWallet()),
      { body: await signedChange(user, createTestWallet()) },
    ]
    return { token: user.token, body, other, withoutKey: 'repeat' }
  },
  'users.stopWalletChange': async ({ api }) => {
    const user = await aUser(api)
    await askForWallet(api, user, createTestWallet())
    return { token: user.token, body: {}, withoutKey: 'refused' }
  },
}
