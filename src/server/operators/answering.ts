import type { Ops } from './command.ts'

/** A command that does one thing and prints what came of it. */
export const answering = (act: (ops: Ops) => Promise<string>) => async (ops: Ops) => {
  ops.write(await act(ops))
  return 0
}
