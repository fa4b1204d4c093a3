import { expect, type Page, test } from '@playwright/test'
import { findBarriers } from './barriers.ts'
import { withDatabase } from './database.ts'
import { joinWithDemoWallet } from './member.ts'
import { recordNotices } from './money-pages.ts'
import { ops } from './ops.ts'
import { buyOnChain, seesActivePlan } from './plan-purchase.ts'

test.use({ serviceWorkers: 'block', permissions: ['clipboard-read', 'clipboard-write'] })

/** The flags that the cluster job writes for users who share a browser and joined in a burst. */
const addSigns = `
  with sign as (
    insert into referral_flags (id, kind, key) select new_id(), kind, $1 from unnest(array['device', 'burst']) as kind
    returning id
  )
  insert into referral_flag_members (flag_id, user_number)
  select sign.id, users.number from sign, users where username = any ($2)`

const showTab = (page: Page, name: string) => page.getByRole('tab', { name }).click()
const rows = (page: Page) => page.getByRole('tabpanel').locator('tbody tr')

test('a friend joins with the link and buys; the reward is held for two signs, appealed and released', async ({
  page,
  browser,
}) => {
  const notices = await recordNotices(page)
  const sponsor = await joinWithDemoWallet(page)
  await buyOnChain(page, 'Starter', '50')
  await seesActivePlan(page)
  const friendPage = await (await browser.newContext({ serviceWorkers: 'block' })).newPage()

  const friend = await test.step('the open page shows the friend who joined with the copied link', async () => {
    await page.goto('/user/referal')
    await expect(page.getByText("You haven't invited anyone yet")).toBeVisible()
    await page.getByRole('button', { name: 'Copy link' }).click()
    await expect.poll(notices).toContain('Link copied to clipboard!')
    const link = await page.evaluate(() => navigator.clipboard.readText())
    const joined = await joinWithDemoWallet(friendPage, new URL(link).pathname)
    await expect(page.getByTitle(`Details of ${joined.username}`)).toBeVisible()
    return joined
  })

  await test.step('the friend’s purchase immediately counts in every list', async () => {
    const people = [sponsor.username, friend.username]
    await withDatabase((client) => client.query(addSigns, [sponsor.username, people]))
    await buyOnChain(friendPage, 'Starter', '50')
    await seesActivePlan(friendPage)
    await showTab(page, 'Direct')
    // The friend's plan stays private: neither their own row nor the volume of their level shows it.
    await expect(rows(page)).toContainText([`${friend.username}0hiddenhidden`])
    await showTab(page, 'Levels')
    await expect(rows(page)).toHaveText([/^111?hidden5%2\.50$/])
    await showTab(page, 'Everyone')
    await expect(rows(page)).toContainText([sponsor.username])
  })

  await test.step('the reward is held, and its owner sees the reason and appeals', async () => {
    await showTab(page, 'Rewards')
    const held = page.getByRole('region', { name: 'Rewards on hold' })
    await expect(held).toContainText('2.50USDT on hold while we review it')
    await expect(held).toContainText('5% of a purchase directly below you')
    await expect(held.getByRole('listitem')).toHaveText([/joined your team within/, /in the same browser/])
    await expect(rows(page)).toContainText(['On hold'])
    await held.getByRole('button', { name: 'Appeal' }).click()
    const dialog = page.getByRole('dialog', { name: 'Appeal' })
    await expect(dialog.getByRole('button', { name: 'Send to the operator' })).toBeDisabled()
    await dialog.getByLabel('What should we know?').fill('My sister, at my kitchen table.')
    expect(await findBarriers(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Send to the operator' }).click()
    await expect(dialog).not.toBeVisible()
    await expect(held).toContainText('You appealed.')
    await expect(held.getByRole('button', { name: 'Appeal' })).toHaveCount(0)
  })

  await test.step('the operator releases it, and the open page shows the reason', async () => {
    const line = (await ops('holds')).split('\n').find((text) => text.includes(sponsor.username))
    await ops('holds', 'release', line?.split(' ')[0] ?? '', '--as', 'anna', '--why', 'Sisters, indeed')
    const held = page.getByRole('region', { name: 'Rewards on hold' })
    await expect(held).toContainText('2.50USDT released to you')
    await expect(held).not.toContainText('you cannot use it during the review')
    await expect(held).toContainText('The operator wrote: “Sisters, indeed”')
    await expect(rows(page)).toContainText(['Paid'])
    await page.goto('/user/healthsupport')
    await expect(page.getByRole('region', { name: 'Support requests' })).toContainText('Reward of 2.5 USDT on hold')
  })
})
