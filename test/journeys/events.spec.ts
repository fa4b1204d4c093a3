import { expect, test } from '@playwright/test'
import { joinWithDemoWallet } from './member.ts'

test.use({ serviceWorkers: 'block' })

test('a page asks for the events that it shows, and opens the next stream before it closes the last one', async ({
  page,
}) => {
  await joinWithDemoWallet(page)
  const open: string[] = []
  let gaps = 0
  const topicsOf = (url: string) => /\/api\/events\/\?topics=(.*)/.exec(url)?.[1]
  page.on('response', (response) => {
    const topics = topicsOf(response.url())
    if (topics) open.push(topics)
  })
  page.on('requestfailed', (request) => {
    const at = open.indexOf(topicsOf(request.url()) ?? '')
    if (at >= 0) open.splice(at, 1)
    if (at >= 0 && open.length === 0) gaps++
  })
  await page.goto('/user/home')
  await expect.poll(() => open).toEqual(['halt,terms'])
  await page.getByRole('link', { name: 'Colour game' }).first().click()
  await expect.poll(() => open).toEqual(['halt,round,terms'])
  await page.goBack()
  await expect.poll(() => open).toEqual(['halt,terms'])
  expect(gaps).toBe(0)
})
