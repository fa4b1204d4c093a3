import { type ComponentType, lazy, Suspense, useState } from 'react'
import { Loading } from '../../ui/states.tsx'

export type Load = () => Promise<ComponentType>
export type Part = { load: Load; isLoaded: () => boolean; component: () => ComponentType }

/**
 * A part of the app whose code is loaded when it is first shown. Code that has loaded is rendered directly: a lazy
 * component shows its fallback once even if its code is there, and React keeps a fallback in view for 0.3 s.
 */
export function later(load: Load): Part {
  let loaded: ComponentType | undefined
  const keep = async () => {
    loaded = await load()
    return loaded
  }
  const Lazy = lazy(async () => ({ default: await keep() }))
  return { load: keep, isLoaded: () => loaded !== undefined, component: () => loaded ?? Lazy }
}

export function Later({ part }: { part: Part }) {
  return (
    <Suspense fallback={<Loading />}>
      <Content part={part} />
    </Suspense>
  )
}

/** What it shows stays the same as long as it is shown, or a part would be mounted again once its code has loaded. */
function Content({ part }: { part: Part }) {
  const [Shown] = useState(part.component)
  return <Shown />
}
