import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { INITIAL_ITEM, menuItems } from './menu-items.ts'

const KEY = 'activeMenu'

/** The last chosen sidebar entry, restored on load. Opening an entry's page through another link selects it too. */
export function useActiveMenu(): [string, (id: string) => void] {
  const [active, setActive] = useState(read)
  const { pathname } = useLocation()
  const arrivedAt = useRef(pathname)
  const choose = (id: string) => {
    setActive(id)
    write(id)
  }
  useEffect(() => {
    if (arrivedAt.current === pathname) return
    arrivedAt.current = pathname
    const item = menuItems.find(({ path }) => path === pathname)
    if (!item) return
    setActive(item.id)
    write(item.id)
  }, [pathname])
  return [active, choose]
}

function read(): string {
  try {
    const stored = localStorage.getItem(KEY)
    return menuItems.find(({ id }) => id === stored)?.id ?? INITIAL_ITEM
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
