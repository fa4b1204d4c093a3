import { useCallback, useState } from 'react'
import { declarations } from '../../../protocol/declarations.ts'
import type { InputOf } from '../../../protocol/route.ts'
import { notify } from '../../../ui/toast.tsx'
import { type CallError, call, useRead } from '../api/api.ts'
import { queries } from '../api/queries.tsx'

/**
 * What a user declares once, before the first bet or purchase. The button that spends the money confirms the age, so
 * that nothing more has to be tapped; a country is asked for only if the operator blocks some.
 */
export function useDeclaration() {
  const { data: read } = useRead(declarations.read, {})
  const [country, setCountry] = useState('')
  const data = read?.data
  // A blocked user is asked nothing: no answer would help.
  const asks = data !== undefined && !data.is_enough && data.blocked_because === null
  const asksCountry = asks && data.asks_country
  const age = data?.minimum_age

  /** Stores the answer, unless it is known already. False, after a notice, if the money must not move. */
  const confirm = useCallback(async (): Promise<boolean> => {
    if (age === undefined) return !(await isAskedUnseen())
    return !asks || store({ age, ...(asksCountry && { country }) })
  }, [age, asks, asksCountry, country])

  return {
    asks,
    asksCountry,
    age,
    country,
    setCountry,
    confirm,
    /** Before the text of the button that spends the money. */
    prefix: asks ? `I'm ${age}+ · ` : '',
    isReady: !asksCountry || country !== '',
    blockedBecause: data?.blocked_because ?? null,
  }
}

export type DeclarationState = ReturnType<typeof useDeclaration>

/** Tapped before the question could be shown: it is shown now. If it cannot be read, the server decides. */
async function isAskedUnseen(): Promise<boolean> {
  const read = await call(declarations.read, {}).catch(() => undefined)
  if (!read || read.data.is_enough) return false
  await refresh()
  notify.neutral('Please confirm your age first, then try again.')
  return true
}

async function store(declared: InputOf<typeof declarations.declare>): Promise<boolean> {
  try {
    const { data } = await call(declarations.declare, declared)
    await refresh()
    if (data.blocked_because) notify.error(data.blocked_because)
    return data.blocked_because === null
  } catch (error) {
    notify.error((error as CallError).message)
    return false
  }
}

const refresh = () => queries.invalidateQueries({ queryKey: [declarations.read.path] })
