import type { Item, Part } from './item.ts'
import { product } from './section-1.ts'
import { landingPage, routes } from './section-2-landing.ts'
import { historyPage, topUpPage } from './section-2-top-up.ts'
import { userHeader, userSidebar } from './section-2-user-area.ts'
import { entities } from './section-3.ts'
import { states } from './section-4.ts'
import { roles, validation } from './section-5-6.ts'
import { table } from './section-7.ts'
import { errors } from './section-8.ts'
import { constants } from './section-9.ts'

/** Every item of the specification, in its order. What it calls "not shown" promises nothing and has no item. */
export const specification: Part[] = [
  product,
  routes,
  landingPage,
  userHeader,
  userSidebar,
  topUpPage,
  historyPage,
  entities,
  states,
  validation,
  roles,
  table,
  errors,
  constants,
]

export type NumberedItem = Item & { id: string }

/** The items of each part, numbered through within their section: 2.1, 2.2 … */
export function numbered(parts: Part[]): { part: Part; items: NumberedItem[] }[] {
  const counts = new Map<number, number>()
  return parts.map((part) => {
    const before = counts.get(part.section) ?? 0
    counts.set(part.section, before + part.items.length)
    return { part, items: part.items.map((item, at) => ({ ...item, id: `${part.section}.${before + at + 1}` })) }
  })
}
