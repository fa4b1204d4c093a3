import { test as base, type Page } from '@playwright/test'

/** For tests that change replies: a call that is still on its way when a test ends is answered before the page closes. */
export const test = base.extend({
  page: async ({ page }, use) => {
    await use(page)
    await page.unrouteAll({ behavior: 'wait' })
  },
})

/** Changes part of a real reply, for a state that takes a user hours or days to reach, or for a server that lies. */
export const changeReply = (page: Page, path: string, edit: (body: Record<string, unknown>) => object) =>
  page.route(`**/api${path}`, async (route) => {
    const reply = await route.fetch()
    await route.fulfill({ response: reply, json: edit(await reply.json()) })
  })

/** The same, for what a reply has under `data`. */
export const changeData = <Data>(page: Page, path: string, edit: (data: Data) => unknown) =>
  changeReply(page, path, (body) => ({ ...body, data: edit(body['data'] as Data) }))
