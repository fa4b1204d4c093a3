import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { signedIn, withoutServer } from './shell-pages.ts'

test.use({ serviceWorkers: 'block', reducedMotion: 'reduce' })

const sizes = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } }

async function findSerious(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

for (const [name, viewport] of Object.entries(sizes))
  for (const colorScheme of ['light', 'dark'] as const)
    test.describe(`${name}, ${colorScheme}`, () => {
      test.use({ viewport, colorScheme })

      test('the landing page has no serious barrier', async ({ page }) => {
        await withoutServer(page)
        await page.goto('/')
        for (const id of ['games', 'marketplace']) {
          await page.locator(`#${id}`).scrollIntoViewIfNeeded()
          await page.locator(`#${id} h2`).waitFor()
        }
        expect(await findSerious(page)).toEqual([])
      })

      test('the shell has no serious barrier, its menus open', async ({ page }) => {
        await signedIn(page)
        await page.goto('/user/no-such-page')
        await page.getByRole('button', { name: 'Profile menu' }).click()
        expect(await findSerious(page)).toEqual([])
        if (name === 'phone') await page.getByRole('button', { name: 'More' }).click()
        expect(await findSerious(page)).toEqual([])
      })
    })
