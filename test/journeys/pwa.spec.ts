import { expect, test } from '@playwright/test'

test.use({ serviceWorkers: 'allow' })

test('the app is installable: it has a manifest, icons and a service worker', async ({ page, request }) => {
  await page.goto('/')
  const manifest = await (await request.get('/manifest.webmanifest')).json()
  expect(manifest).toMatchObject({ name: 'Wellplay', display: 'standalone', start_url: '/user/home' })
  for (const { src } of manifest.icons) expect((await request.get(src)).ok(), src).toBe(true)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true))
})

test('without a network the offline page is shown, and retrying works when the network is back', async ({
  page,
  context,
}) => {
  await page.goto('/')
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true))
  await context.setOffline(true)
  await page.goto('/user/home')
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible()
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'You are offline' })).toHaveCount(0)
})

test('robots.txt disallows the user area and the API', async ({ request }) => {
  const text = await (await request.get('/robots.txt')).text()
  expect(text).toContain('Disallow: /user')
  expect(text).toContain('Disallow: /api')
})
