import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { Page } from 'playwright-core'

import { testWithBrowser } from '../support/chromium.ts'
import { consoleBrowser } from '../support/console.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { aLossyProxy } from '../support/lossy-proxy.ts'
import { aNoisyWav, storedBytesOf } from '../support/resumable.ts'
import { scriptedConsole } from '../support/scripted-console.ts'

/** Large recordings in the console, over connections that break. */

const inBrowser = await testWithBrowser()
const scene = scriptedConsole(test)
const browser = consoleBrowser(test)
const large = aNoisyWav(1, 560)
const mebibyte = 1024 * 1024

/** A page behind a proxy that ends each connection after so many bytes. */
async function aScene(t: ExecutionContext, bytesPerConnection: number) {
  t.timeout(300_000)
  const { api, token } = await scene.aPerson(t)
  const path = join(await aFolder(t), 'long.wav')
  await writeFile(path, large)
  const proxy = await aLossyProxy(t, Number(new URL(scene.service.url).port))
  proxy.cutAfter(Array.from({ length: 200 }, () => bytesPerConnection))
  const address = `http://127.0.0.1:${proxy.port}/#token=${token}`
  return { api, token, path, proxy, open: () => browser.open(t, address) }
}

async function choose(page: Page, path: string): Promise<void> {
  await page.getByText('Nothing here yet').waitFor()
  await page.locator('input[type=file]').first().setInputFiles(path)
}

inBrowser.serial('a large recording goes on by itself when its connection breaks, and is submitted', async (t) => {
  const { api, token, path, proxy, open } = await aScene(t, 6 * mebibyte)
  const page = await open()
  await choose(page, path)
  await page.locator('.card[data-batch] .row', { hasText: 'long.wav' }).waitFor()
  t.true(proxy.cuts >= 2)
  const { body } = await api.get('/files')
  t.is(body.total_files, 1)
  t.true((await storedBytesOf(api, token, body.files[0].file_id)).equals(large))
})

inBrowser.serial('a recording that is chosen again after the page was closed goes on where it was', async (t) => {
  const { api, path, proxy, open } = await aScene(t, 3 * mebibyte)
  const first = await open()
  await choose(first, path)
  const begun = await eventually('some of it came', async () => {
    const { uploads } = (await api.get('/files/resumable')).body
    return uploads[0]?.received_bytes > mebibyte ? uploads[0] : undefined
  })
  await first.close()
  proxy.cutAfter([])
  const second = await open()
  await choose(second, path)
  await second.locator('.card[data-batch] .row', { hasText: 'long.wav' }).waitFor()
  const { body } = await api.get('/files')
  t.is(body.total_files, 1)
  const became = (await api.get(`/files/resumable/${begun.resumable_upload_id}`)).body
  t.is(became.file_id, body.files[0].file_id, 'the same upload went on')
})

inBrowser.serial('what is stopped leaves nothing behind', async (t) => {
  const { api, path, open } = await aScene(t, mebibyte)
  const page = await open()
  await choose(page, path)
  await eventually('some of it came', async () => (await api.get('/files/resumable')).body.count === 1)
  await page.getByRole('button', { name: 'Stop' }).click()
  await eventually('nothing of it is kept', async () => (await api.get('/files/resumable')).body.count === 0)
  await page.getByText('Stopped.').first().waitFor()
  t.is((await api.get('/files')).body.total_files, 0)
})
