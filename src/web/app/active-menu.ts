import { useCallback, useEffect, useRef, useState } from 'react'
import { INITIAL_ITEM, menuItems, moreItems, pageOf } from './menu-items.ts'
import { useAddressPath } from './shown-location.ts'

const KEY = 'activeMenu'
const items = [...menuItems, ...moreItems]

/**
 * The highlighted sidebar entry: that of the address. A page without an entry highlights the last chosen one,
 * which is restored on load. Opening an entry's page through another link counts as choosing it.
 */
export function useActiveMenu(): [string, (id: string) => void] {
  const [active, setActive] = useState(read)
  const pathname = useAddressPath()
  const shown = items.find(({ path }) => pageOf(path) === pathname)?.id
  const arrivedAt = useRef(pathname)
  const choose = useCallback((id: string) => {
    setActive(id)
    write(id)
  }, [])
  useEffect(() => {
    if (arrivedAt.current === pathname) return
    arrivedAt.current = pathname
    if (!shown) return
    setActive(shown)
    write(shown)
  }, [pathname, shown])
  return [shown ?? active, choose]
}

function read(): string {
  try {
    const stored = localStorage.getItem(KEY)
    return items.find(({ id }) => id === stored)?.id ?? INITIAL_ITEM
  } catch {
    return INITIAL_ITEM
  }
}

function write(id: string): void {
  try {
    localStorage.setItem(KEY, id)
  } catch {
    // Storage is blocked: the choice lasts until the page is closed.
  }
}
