import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'

/** What keeps someone from reading or using the page as it stands, named by rule and place. */
export async function findBarriers(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}
