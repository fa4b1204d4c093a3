import { expect, test } from '@playwright/test'
import { findBarriers, transitionsEnd } from './barriers.ts'
import { withDatabase } from './database.ts'
import { becomeMember, joinWithDemoWallet, post } from './member.ts'
import { phone } from './phone.ts'

test.use(phone)

const askAboutMoney = (username: string) =>
  withDatabase((client) =>
    client.query(
      `with asked as (insert into support_requests (id, user_number, topic, subject, urgent, created_at, updated_at)
        select new_id(), number, 'money', 'Where is my money?', false, now(), now() from users where username = $1
        returning id)
      insert into support_messages (id, request_id, author, text, written_at)
      select new_id(), id, 'user', 'I cannot find it.', now() from asked`,
      [username],
    ),
  )

test('a user settles what stops the deletion, signs, says goodbye and can join again with the same wallet', async ({
  page,
  request,
}) => {
  const { token, username, wallet_address } = await joinWithDemoWallet(page)
  await askAboutMoney(username)

  await page.goto('/user/profile')
  await page.getByRole('button', { name: 'Delete my account' }).tap()
  const sheet = page.getByRole('dialog', { name: 'Delete your account' })
  await expect(sheet.getByText('You asked support about money')).toBeVisible()
  await expect(sheet.getByRole('button', { name: 'Sign and delete' })).toHaveCount(0)
  await sheet.getByText('What we keep, and why').tap()
  await expect(sheet.getByText('They are public on the chain')).toBeVisible()
  expect(await findBarriers(page)).toEqual([])
  await sheet.getByRole('link', { name: 'See your request' }).tap()
  await expect(page).toHaveURL(/healthsupport/)

  await page.getByText('Where is my money?').tap()
  await page.getByRole('button', { name: 'Close request' }).tap()
  await expect(page.getByText('Closed').first()).toBeVisible()
  await page.goto('/user/profile')
  await page.getByRole('button', { name: 'Delete my account' }).tap()
  // A tap while the sheet still moves up can miss it.
  await expect(sheet.getByRole('button', { name: 'Sign and delete' })).toBeVisible()
  await transitionsEnd(page)
  await sheet.getByRole('button', { name: 'Export your data first' }).tap()
  await expect(sheet).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Export my data' })).toBeInViewport()
  await page.getByRole('button', { name: 'Delete my account' }).tap()
  await expect(sheet.getByRole('button', { name: 'Sign and delete' })).toBeVisible()
  await transitionsEnd(page)
  await sheet.getByRole('button', { name: 'Sign and delete' }).tap()

  await page.waitForURL('**/goodbye')
  await expect(page.getByRole('heading', { name: 'Your account is deleted' })).toBeVisible()
  expect(await findBarriers(page)).toEqual([])
  expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull()
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  expect((await request.post('/api/auth/me/', { data: {}, headers: { token } })).status()).toBe(401)
  await page.goto('/')
  await expect(page.getByText(wallet_address.slice(-4))).toHaveCount(0)

  const again = await joinWithDemoWallet(page)
  expect(again.wallet_address).toBe(wallet_address)
  expect(again.username).not.toBe(username)
})

test('the inviter of a user who deleted their account sees that in the tree, in the lists and in the details', async ({
  page,
  browser,
  request,
}) => {
  const { token } = await becomeMember(page, request)
  const me = await post(request, '/api/auth/me/', {}, { token })
  const friend = await (await browser.newContext(phone)).newPage()
  await joinWithDemoWallet(friend, `/referral/${me.data.referral_code}`)
  await friend.goto('/user/profile')
  await friend.getByRole('button', { name: 'Delete my account' }).tap()
  await expect(friend.getByRole('button', { name: 'Sign and delete' })).toBeVisible()
  await transitionsEnd(friend)
  await friend.getByRole('button', { name: 'Sign and delete' }).tap()
  await friend.waitForURL('**/goodbye')
  await friend.context().close()

  await page.goto('/user/referal')
  await expect(page.getByRole('listitem').filter({ hasText: /^Deleted user/ })).toHaveText(
    'Deleted useraccount deleted',
  )
  await page.getByRole('button', { name: 'Deleted user' }).tap()
  const sheet = page.getByRole('dialog', { name: 'Deleted user' })
  await expect(sheet).toContainText('This user deleted their account.')
  await expect(sheet).not.toContainText('private')
  await page.keyboard.press('Escape')
  for (const tab of ['Direct', 'Everyone']) {
    await page.getByRole('tab', { name: tab }).tap()
    const row = page.getByRole('tabpanel').locator('tbody tr')
    await expect(row).toHaveText([/^Deleted user/])
    await expect(row).not.toContainText('hidden')
  }
})
