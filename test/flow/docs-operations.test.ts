import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type { ExecutionContext } from 'ava'

import { ensurePackages } from '../../infra/dev/debian-packages.ts'
import { aChatServer, saysInChat } from '../support/chat-server.ts'
import { exampleIn, shownLanguages, ranExample } from '../support/docs-examples.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { aNatsServer } from '../support/nats.ts'
import { aPipeline, uploadRecordings } from '../support/pipeline.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'
import { testWhere } from '../support/test-where.ts'

/** What the API does with words, transcripts and voices, by the examples of its own description. */

const withTools = await testWhere('examples in curl and Python', () =>
  ensurePackages({ name: 'curl and Python', packages: ['curl', 'python3'], programs: ['curl', 'python3'] }),
)

const recording = aScriptedRecording(scriptedSeconds(2, 700))
/** Is under way until somebody cancels it. */
const endless = aScriptedRecording([{ audio: 710, commands: [{ stage: 'transcribe', act: 'hang' }] }])
/** A summary and a translation at once: each reads what it wants. */
const written = { summary: 'Two numbers.', translations: [{ line: 1, text: 'Two numbers were said.' }] }

/** With variables that the example needs. */
interface Asking {
  readonly form?: string
  readonly [variable: string]: string | undefined
}

async function aHouse(t: ExecutionContext) {
  const chat = await aChatServer(t, saysInChat(JSON.stringify(written)))
  const house = await aPipeline(t, await aNatsServer(t), {
    LLM_BASE_URL: chat.baseUrl,
    LLM_MODEL: 'test-model',
    TTS_ENGINE: 'light',
  })
  await house.addWorker()
  const options = { redact: ['account'], keep_unredacted: true }
  const plain = await house.submit([{ name: 'one.wav', content: recording }])
  const redacted = await house.submit([{ name: 'two.wav', content: recording }], options)
  await Promise.all([plain.finished(), redacted.finished()])
  const folder = await aFolder(t)
  await writeFile(join(folder, 'one.wav'), recording)
  const env = {
    PATH: process.env['PATH'],
    VAAK_URL: house.api.url,
    VAAK_TOKEN: await house.gateway.tokenOf('asha'),
    BATCH_UPLOAD_ID: await uploadRecordings(house.api, [{ name: 'three.wav', content: endless }]),
    FILE_ID: plain.fileIds[0]!,
    INQUIRY_ID: 'summary',
    MODEL_ID: 'balanced',
  }
  const page = await (await fetch(`${house.api.url}/docs`)).text()
  return { folder, env, page, redactedId: redacted.fileIds[0]! }
}

for (const language of shownLanguages)
  withTools.serial(`what is done with words, transcripts and voices works as it is shown in ${language}`, async (t) => {
    t.timeout(300_000)
    const { folder, env, page, redactedId } = await aHouse(t)
    const printed = (operation: string, { form = '', ...more }: Asking = {}): Promise<string> =>
      ranExample(exampleIn(page, { operation, language, form }), { language, folder, env: { ...env, ...more } })
    const ran = async (operation: string, asking: Asking = {}) => JSON.parse(await printed(operation, asking))

    const { batch_id: BATCH_ID, jobs } = await ran('submitBatch')
    t.is(jobs.length, 2)
    t.is((await ran('cancelFiles', { BATCH_ID, FILE_ID: jobs[0].file_id })).files_cancelled, 1)
    t.is(typeof (await ran('cancelBatch', { BATCH_ID })).files_cancelled, 'number')

    const { vocabulary_id: VOCABULARY_ID, version } = await ran('createVocabulary')
    t.is(version, 1)
    t.is((await ran('listVocabularies')).vocabularies.length, 1)
    t.is((await ran('changeVocabulary', { VOCABULARY_ID })).version, 2)
    t.is((await ran('readVocabulary', { VOCABULARY_ID })).entries.at(-1).text, 'Meera')
    t.deepEqual((await ran('transcribeAgain', { VOCABULARY_ID })).chunks, [])
    await printed('deleteVocabulary', { VOCABULARY_ID })
    t.is((await ran('listVocabularies')).vocabularies.length, 0)

    t.regex((await ran('getUnredactedResult', { FILE_ID: redactedId })).result.text, /heard \d+/)
    t.true((await ran('getInquiryOffer')).available)
    t.is((await ran('askInquiry')).type, 'summary')
    await eventually('it is written', async () => (await ran('listInquiries')).inquiries[0].status === 'completed')
    await printed('deleteInquiry')
    t.deepEqual((await ran('listInquiries')).inquiries, [])
    for (const form of ['question', 'translation']) t.is((await ran('askInquiry', { form })).type, form)

    t.is((await ran('alignText')).words.length, 6)
    t.regex(await printed('alignText', { form: 'subtitles' }), / --> .*\nकल की meeting/)
    t.is((await ran('evaluate')).words, 4)
    t.is((await ran('createTranslation')).text, written.translations[0]!.text)
    t.is((await ran('createTranslation', { form: 'passages' })).task, 'translate')
    t.regex(await printed('createTranslation', { form: 'subtitles' }), / --> /)
    t.true((await ran('listModels')).data.length > 0)
    t.is((await ran('readModel')).id, 'balanced')

    t.is((await ran('putPronunciations')).pronunciations.length, 2)
    t.is((await ran('listPronunciations')).pronunciations.length, 2)
    await printed('speak')
    t.is((await readFile(join(folder, 'answer.wav'))).toString('latin1', 0, 4), 'RIFF')
    t.regex((await ran('makeClientSecret')).value, /^ek_/)
    t.true((await ran('getPublicKeys')).keys.length > 0)

    t.deepEqual((await ran('submitBatch', { form: 'redacted' })).options.redact, ['phone', 'card'])
    t.is((await ran('submitBatch', { form: 'text' })).total_jobs, 1)
    t.is((await ran('submitBatch', { form: 'after' })).options.after.length, 2)
  })
