import test from 'ava'

import { moonshineFiles } from '../../../infra/speech/asr/files.ts'
import type { Recogniser } from '../../../infra/speech/asr/recogniser.ts'
import { openThreaded } from '../../../infra/speech/asr/threaded.ts'
import { englishFixture } from '../../support/english.ts'
import { aFetchedModel } from '../../support/models.ts'

let moonshine: Recogniser

test.before(async (t) => {
  t.timeout(300_000, 'the first run fetches the model')
  moonshine = await open()
})
test.after.always(() => moonshine.close())

test('an English sentence comes out word for word, with times', async (t) => {
  const { samples } = await englishFixture()
  const [transcript] = await moonshine.transcribe([samples], {})
  t.regex(transcript!.text, /^The old clock in the hallway stopped at noon,? and nobody noticed until dinner/)
  const { words } = transcript!
  t.is(words.map(({ text }) => text).join(' '), transcript!.text)
  const stopped = words.find(({ text }) => text.startsWith('stopped'))!
  t.true(stopped.start > 1 && stopped.end < 2.5, JSON.stringify(stopped))
})

test('silence, and less than a syllable, are nothing', async (t) => {
  const transcripts = await moonshine.transcribe([new Float32Array(32_000), new Float32Array(100).fill(0.5)], {})
  t.deepEqual(
    transcripts.map(({ text, flags }) => [text, flags]),
    [
      ['', ['silent']],
      ['', ['silent']],
    ],
  )
})

test('a language that it does not know is refused with a sentence', async (t) => {
  await t.throwsAsync(moonshine.transcribe([], { language: 'hi' }), { message: /does not know the language hi/ })
})

async function open(): Promise<Recogniser> {
  const id = 'moonshine-tiny-en'
  const options = { id, files: moonshineFiles(await aFetchedModel(id)), threads: 1 }
  return openThreaded({ kind: 'moonshine', options, lanes: 1 })
}
