import type { declarations } from '../../../protocol/declarations.ts'
import type { Handlers } from '../../context.ts'
import { declare, readDeclaration } from './declarations.ts'

export const handlers: Handlers<typeof declarations> = {
  read: async (context) => ({ status: 'success', Msg: 'Your declaration', data: await readDeclaration(context) }),

  declare: (context, input) =>
    context.change(async (tx) => {
      await declare(tx, context, input)
      return { status: 'success', Msg: 'Thank you', data: await readDeclaration({ ...context, db: tx }) }
    }),
}
