import test from 'ava'

import { violations } from '../support/accessibility.ts'
import { aChatServer, saysInChat } from '../support/chat-server.ts'
import { testWithBrowser } from '../support/chromium.ts'
import { consoleBrowser } from '../support/console.ts'
import { aNatsServer } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'

const inBrowser = await testWithBrowser()

/** Summary, chapters and questions, as people see them. */

const browser = consoleBrowser(test)
const hostile = 'All is told. <img src=x onerror=alert(1)> [more](https://example.org)'

inBrowser.serial('summary, chapters and answers are asked for and read beside the transcript', async (t) => {
  const chat = await aChatServer(
    t,
    saysInChat(JSON.stringify({ summary: hostile })),
    saysInChat('{"chapters": [{"line": 1, "title": "Numbers"}]}'),
    saysInChat('{"answered": true, "answer": "The first one.", "lines": [1]}'),
    saysInChat('{"translations": [{"line": 1, "text": "Numbers in English."}]}'),
  )
  const environment = { LLM_BASE_URL: chat.baseUrl, LLM_MODEL: 'test-model' }
  const { api, gateway, addWorker, submit } = await aPipeline(t, await aNatsServer(t), environment)
  await addWorker()
  const batch = await submit([{ name: 'call.wav', content: aScriptedRecording(scriptedSeconds(4)) }])
  await batch.finished()
  const page = await browser.open(t, `${api.url}/#token=${await gateway.tokenOf('asha')}`)
  const row = page.locator('.row', { hasText: 'call.wav' })
  await row.getByRole('link').click()
  await page.getByText('Summary, chapters and questions').click()
  await page.getByRole('button', { name: 'Write a summary' }).click()
  await page.getByText(hostile).waitFor()
  t.is(await page.locator('.inquiries img, .inquiries a').count(), 0, 'what a model writes is text')
  await page.getByRole('button', { name: 'Find chapters' }).click()
  const chapter = page.locator('.chapters li', { hasText: /Numbers$/ })
  await chapter.waitFor()
  await page.getByLabel('A question about this recording').fill('Which one?')
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByText('The first one.').waitFor()
  await page.getByRole('heading', { name: 'Which one?' }).waitFor()
  await page.getByRole('button', { name: 'Translate into English' }).click()
  await page.locator('.chapters li', { hasText: 'Numbers in English.' }).waitFor()
  t.deepEqual(await violations(page), [])
  await page.getByRole('button', { name: 'Play', exact: true }).and(page.locator(':enabled')).waitFor()
  await page.locator('.player input[type=range]').fill('3')
  await chapter.getByRole('button').click()
  await page.waitForFunction('Number(document.querySelector(".player input").value) < 3')
  const section = page.locator('.inquiry', { hasText: 'Which one?' })
  await section.getByRole('button', { name: 'Remove' }).click()
  await section.waitFor({ state: 'detached' })
})

inBrowser.serial('what is chosen for after the transcript is there when it is read', async (t) => {
  const chat = await aChatServer(t, saysInChat('{"summary": "Four numbers are told."}'))
  const environment = { LLM_BASE_URL: chat.baseUrl, LLM_MODEL: 'test-model' }
  const { api, gateway, addWorker } = await aPipeline(t, await aNatsServer(t), environment)
  await addWorker()
  const page = await browser.open(t, `${api.url}/#token=${await gateway.tokenOf('asha')}`)
  await page.getByText('Options').click()
  await page.getByRole('group', { name: 'After the transcript' }).getByLabel('A summary').check()
  t.deepEqual(await violations(page), [])
  const buffer = Buffer.from(aScriptedRecording(scriptedSeconds(4)))
  await page.locator('input[type=file]').setInputFiles([{ name: 'call.wav', mimeType: 'audio/wav', buffer }])
  const row = page.locator('.row', { hasText: 'call.wav' })
  await row.getByText('Done').waitFor()
  await row.getByRole('link').click()
  await page.getByText('Summary, chapters and questions').click()
  await page.getByText('Four numbers are told.').waitFor()
})

inBrowser.serial('where nobody can write about transcripts nothing is offered', async (t) => {
  const { api, gateway } = await aPipeline(t, await aNatsServer(t))
  const page = await browser.open(t, `${api.url}/#token=${await gateway.tokenOf('asha')}`)
  const answered = page.waitForResponse('**/transcribe/inquiries')
  await page.getByText('Options').click()
  await answered
  await page.getByText('Not to be read').waitFor()
  t.is(await page.getByText('After the transcript').isVisible(), false)
})
