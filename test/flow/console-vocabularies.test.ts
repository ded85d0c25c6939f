import test from 'ava'
import type { ExecutionContext } from 'ava'
import type { BrowserContextOptions } from 'playwright-core'

import { transcriptKey } from '../../actors/ids.ts'
import { violations } from '../support/accessibility.ts'
import { batchService } from '../support/batch-service.ts'
import { testWithBrowser } from '../support/chromium.ts'
import { consoleBrowser } from '../support/console.ts'
import { aConversation } from '../support/conversation.ts'
import { eventually } from '../support/eventually.ts'

const inBrowser = await testWithBrowser()

/** The words of a user, where they look for them: on a page of their own, and after a correction. */

const service = batchService(test)
const browser = consoleBrowser(test)

async function aReader(t: ExecutionContext, options: BrowserContextOptions = {}) {
  const { owner, token, api } = await service.user(t)
  const records = await service.records()
  const { refs } = await records.layOut(owner, [{ stage: 'completed', filename: 'बैठक.wav' }])
  const stored = { result: aConversation(), chunks: [] }
  await records.blobs.put(transcriptKey(refs[0]!), { bytes: Buffer.from(JSON.stringify(stored)) })
  const page = await browser.open(t, `${service.shared.url}/#token=${token}`, options)
  const go = (hash: string) => page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
  return { page, api, go, fileId: refs[0]!.fileId }
}

inBrowser.serial('words are written down in lines, saved as a version, and deleted', async (t) => {
  const { page, api, go } = await aReader(t)
  await go('#/words')
  await page.getByText('You have no words yet.').waitFor()
  await page.getByLabel('A name for more words').fill('House')
  await page.getByRole('button', { name: 'Make a list' }).click()
  const field = page.getByLabel('House', { exact: true }).and(page.locator('textarea'))
  await field.fill('Vaak = वाक, vak\nKurla Depot * 1.5\n\n')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('2 words, version 2').waitFor()
  t.is(await field.inputValue(), 'Vaak = वाक, vak\nKurla Depot * 1.5')
  t.deepEqual(await violations(page), [])
  const [{ vocabulary_id: id }] = (await api.get('/vocabularies')).body.vocabularies
  t.deepEqual((await api.get(`/vocabularies/${id}`)).body.entries, [
    { text: 'Vaak', spoken: ['वाक', 'vak'] },
    { text: 'Kurla Depot', weight: 1.5 },
  ])
  await api.patch(`/vocabularies/${id}`, { json: { version: 2, add: [{ text: 'Meera' }] } })
  await page.getByRole('button', { name: 'Save' }).click()
  t.regex(await page.getByRole('alert').innerText(), /changed meanwhile/)

  await go('#/')
  await page.locator('summary', { hasText: 'Options' }).click()
  await page.getByLabel('My words').selectOption('House')
  await go('#/words')
  page.once('dialog', (dialog) => void dialog.accept())
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('You have no words yet.').waitFor()
})

inBrowser.serial('after a correction its word may be kept, and looked for in the rest of the recording', async (t) => {
  const { page, api, go, fileId } = await aReader(t)
  await go(`#/file/${fileId}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const correct = async (text: string) => {
    await page.locator('.word').first().click()
    const field = page.getByLabel(/^Sentence at/)
    const [before = '', ...rest] = (await field.inputValue()).split(' ')
    await field.fill([text, ...rest].join(' '))
    await field.press('Enter')
    return before.replaceAll(/\p{P}/gu, '')
  }
  const heard = await correct('Meera,')
  await page.getByText('Add “Meera” to your words').waitFor()
  t.deepEqual(await violations(page), [])
  await page.getByRole('button', { name: 'Add, and look for it in this recording' }).click()
  await page.locator('.words-offer', { hasText: 'Nothing else in this recording is in doubt.' }).waitFor()
  const [{ vocabulary_id: id, name }] = (await api.get('/vocabularies')).body.vocabularies
  t.is(name, 'My words')
  t.deepEqual((await api.get(`/vocabularies/${id}`)).body.entries, [{ text: 'Meera', spoken: [heard] }])

  await correct('Meeta')
  await page.getByText('Add “Meeta” to your words').waitFor()
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await eventually('the word is kept', async () => {
    const { body } = await api.get(`/vocabularies/${id}`)
    return body.entries.length === 2
  })
  await correct('Meera')
  await page.getByText('Add “Meera” to your words').waitFor()
  await page.getByRole('button', { name: 'No', exact: true }).click()
  await page.getByText('Add “Meera” to your words').waitFor({ state: 'detached' })
})
