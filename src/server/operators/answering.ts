import type { Ops } from './command.ts'

/** Makes a command from a function that returns the text to print. */
export const answering = (act: (ops: Ops) => Promise<string>) => async (ops: Ops) => {
  ops.write(await act(ops))
  return 0
}
