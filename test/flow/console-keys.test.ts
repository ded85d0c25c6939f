import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'

import { violations } from '../support/accessibility.ts'
import { testWithBrowser } from '../support/chromium.ts'
import { consoleBrowser } from '../support/console.ts'
import { sharedService } from '../support/service.ts'

const inBrowser = await testWithBrowser()

const service = sharedService(test)
const browser = consoleBrowser(test)

async function openKeys(t: ExecutionContext): Promise<Page> {
  const { token } = await service.user(t)
  const page = await browser.open(t, `${service.url}/#token=${token}`)
  await page.getByRole('link', { name: 'API keys' }).click()
  return page
}

async function statusOf(key: string, path: string): Promise<number> {
  return (await fetch(service.url + path, { headers: { Authorization: `Bearer ${key}` } })).status
}

inBrowser.serial('a key is made, shown once, used and revoked', async (t) => {
  const page = await openKeys(t)
  await page.getByText('You have no API keys.').waitFor()
  await page.getByLabel('What it is for').fill('<b>my app</b>')
  await page.getByLabel('How long it works').selectOption('for 30 days')
  await page.getByRole('button', { name: 'Make a key' }).click()
  const key = await page.locator('.new-key').innerText()
  t.is(await statusOf(key, '/files'), 200)

  await page.reload()
  const row = page.locator('.row.key', { hasText: '<b>my app</b>' })
  await row.waitFor()
  t.is(await page.getByText(key).count(), 0)
  page.once('dialog', (dialog) => void dialog.accept())
  await row.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('You have no API keys.').waitFor()
  t.is(await statusOf(key, '/files'), 401)
})

inBrowser.serial('a key is made for what is ticked, says so, and is replaced by one like it', async (t) => {
  const page = await openKeys(t)
  await page.getByLabel('What it is for').fill('reader')
  for (const scope of ['transcribing', 'realtime sessions']) await page.getByLabel(scope).uncheck()
  await page.getByRole('button', { name: 'Make a key' }).click()
  const first = await page.locator('.new-key').innerText()
  const row = page.locator('.row.key', { hasText: 'reader' })
  t.regex(await row.innerText(), /For files and results\./)
  t.deepEqual([await statusOf(first, '/files'), await statusOf(first, '/v1/keys')], [200, 403])

  page.once('dialog', (dialog) => void dialog.accept())
  await row.getByRole('button', { name: 'Replace' }).click()
  await page.getByText('Another has taken its place.').waitFor()
  const second = await page.locator('.new-key').innerText()
  t.not(second, first)
  t.deepEqual(await violations(page), [])
  t.deepEqual([await statusOf(first, '/files'), await statusOf(second, '/files')], [200, 200])
  t.is(await page.getByRole('button', { name: 'Replace' }).count(), 1, 'the old one is not replaced twice')
})
