import { join } from 'node:path'

import test from 'ava'

import { recogniserRate, spokenRate } from '../../../actors/conversation/ports.ts'
import { toFloat } from '../../../infra/speech/audio/signal/pcm.ts'
import { resample } from '../../../infra/speech/audio/signal/resample.ts'
import type { SpeechEngine } from '../../../infra/speech/engine/engine.ts'
import { openEngine } from '../../../infra/speech/engine/open-engine.ts'
import { openVoices } from '../../../infra/speech/tts/open-voices.ts'
import type { OpenVoices } from '../../../infra/speech/tts/open-voices.ts'
import { roster } from '../../../infra/speech/tts/roster.ts'
import { noProgress } from '../../../infra/telemetry/progress.ts'
import { aFolder } from '../../support/folder.ts'
import { aLog } from '../../support/log.ts'
import { cacheFolderForTests } from '../../support/nats.ts'
import { joinedSamples } from '../../support/samples.ts'
import { writeWav } from '../../support/wav-file.ts'

const sentences = {
  en: 'The quick brown fox jumps over the lazy dog near the river bank.',
  hi: 'कल शाम हम सब मिलकर बाज़ार गए और ताज़ी सब्ज़ियाँ लेकर आए।',
  ta: 'நாங்கள் மாலையில் கடைக்கு சென்று காய்கறிகள் வாங்கினோம்.',
}
const options = { script: 'native', channels: 'mix', speechInformation: false } as const

let engine: SpeechEngine
let voices: OpenVoices
test.before(async (t) => {
  t.timeout(300_000, 'the first run fetches the models')
  const cacheDir = cacheFolderForTests()
  engine = await openEngine({ cacheDir, modelDir: '', profile: 'balanced', startProgress: noProgress })
  voices = openVoices({ engine: 'light', cacheDir, modelDir: '', voicesFile: '', log: aLog() })
})
test.after.always(() => Promise.all([engine.close(), voices.close()]))

for (const { id, language } of roster)
  test.serial(`what ${id} says with the light engine is not called silence`, async (t) => {
    const path = await writeWav(join(await aFolder(t), `${id}.wav`), await said(id, sentences[language]))
    const { text, gaps } = await engine.transcribe(path, options)
    // nobody was told that it is Tamil: there may be no words for it, but then a gap says so
    if (language === 'ta') t.true(text !== '' || gaps !== undefined)
    else t.not(text, '')
  })

async function said(voice: string, text: string): Promise<Float32Array> {
  async function* once(): AsyncGenerator<string> {
    yield text
  }
  const parts: Float32Array[] = []
  for await (const { samples } of voices.speak(once(), { voice, signal: new AbortController().signal }))
    parts.push(toFloat(samples))
  return resample(joinedSamples(parts), spokenRate, recogniserRate)
}
