export type SlotLimits = { perCaller: number; total: number }

/** Limits how many things are open at once, by caller and in total. */
export function createSlots({ perCaller, total }: SlotLimits) {
  const takenBy = new Map<string, number>()
  let taken = 0

  function free(caller: string): void {
    const left = (takenBy.get(caller) ?? 0) - 1
    if (left > 0) takenBy.set(caller, left)
    else takenBy.delete(caller)
    taken--
  }

  return {
    /** Takes a slot and returns the function that frees it. Undefined if there is none. */
    take(caller: string): (() => void) | undefined {
      const own = takenBy.get(caller) ?? 0
      if (own >= perCaller || taken >= total) return undefined
      takenBy.set(caller, own + 1)
      taken++
      return () => free(caller)
    },
  }
}
