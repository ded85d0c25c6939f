import { availableParallelism, homedir } from 'node:os'
import { parseArgs } from 'node:util'

import type { Voice } from '../../../actors/conversation/ports.ts'
import { resample } from '../../../actors/sound/resample.ts'
import { cacheFolder } from '../../../infra/cache-folder.ts'
import { processEnvironment } from '../../../infra/config.ts'
import { openModels } from '../../../infra/speech/asr/open-models.ts'
import { modelsFor } from '../../../infra/speech/asr/profiles.ts'
import type { Recogniser } from '../../../infra/speech/asr/recogniser.ts'
import type { RouterModels } from '../../../infra/speech/asr/router.ts'
import { sampleRate } from '../../../infra/speech/audio/mel.ts'
import { openStore } from '../../../infra/speech/open-store.ts'
import { openVoices } from '../../../infra/speech/tts/open-voices.ts'
import type { OpenVoices } from '../../../infra/speech/tts/open-voices.ts'
import { errorRates } from '../../../infra/speech/text/error-rate.ts'
import { silentLog } from '../../support/silent-log.ts'
import { machine, percentile, printTable } from '../table.ts'
import { sentences } from './sentences.ts'
import { raceKokoro } from './race-kokoro.ts'

const usage = `npm run bench -- tts [--sentences N] [--engines light,neural] [--voices ID,ID] [--rounds N] [--race-only]

  --sentences  how many of the fifty of each language
  --rounds     how often the neural model and the plain loop take turns; 0 leaves the race out`

const engines = ['light', 'neural'] as const

/** How well our own recogniser understands each voice, how fast it is, and the neural model beside the plain loop. */
export async function tts(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      sentences: { type: 'string', default: '50' },
      engines: { type: 'string', default: engines.join(',') },
      voices: { type: 'string', default: '' },
      rounds: { type: 'string', default: '3' },
      'race-only': { type: 'boolean', default: false },
    },
  })
  const chosen = engines.filter((engine) => values.engines.split(',').includes(engine))
  if (chosen.length === 0) throw new Error(`Usage: ${usage}`)
  const environment = processEnvironment()
  const places = {
    cacheDir: cacheFolder({
      configured: environment['VAAK_CACHE'],
      xdgCacheHome: environment['XDG_CACHE_HOME'],
      home: homedir(),
    }),
    modelDir: environment['MODEL_DIR'] ?? '',
  }
  const store = openStore(places)
  const only = values.voices === '' ? undefined : values.voices.split(',')
  if (!values['race-only']) {
    const fetch = async (id: string): Promise<void> => void (await store.fetch(id))
    const models = openModels({ store, cores: availableParallelism(), fetch })
    const ears = models.of(modelsFor('balanced', ''))
    for (const engine of chosen) {
      if (engine === 'neural') for (const id of ['kokoro-82m', 'kokoro-styles']) await fetch(id)
      const voices = openVoices({ engine, ...places, voicesFile: '', log: silentLog })
      await voices.engineName()
      const rows: Row[] = []
      for (const voice of voices.list().filter(({ id }) => only?.includes(id) ?? true))
        rows.push(await roundTrip({ voices, voice, ears, count: Number(values.sentences) }))
      await voices.close()
      printTable(`Voices of the ${engine} engine, heard by our own recogniser (${machine()})`, rows)
    }
    await models.close()
    console.log(`
WER and CER: edits over the length of what was said, summed over sentences. Real-time factor: time to make a second of
speech, one sentence at a time. First audio: time until the first clause of a sentence is there, median and 95th percentile.`)
  }
  if (chosen.includes('neural') && Number(values.rounds) > 0)
    printTable(`Kokoro's weights, ours and as published (${machine()})`, await raceKokoro(store, Number(values.rounds)))
}

type Row = Readonly<Record<string, string>>

interface Trip {
  readonly voices: OpenVoices
  readonly voice: Voice
  readonly ears: RouterModels
  readonly count: number
}

async function roundTrip({ voices, voice, ears, count }: Trip): Promise<Row> {
  const language = voice.language === 'hi' || voice.language === 'ta' ? voice.language : 'en'
  const said = sentences[language].slice(0, count)
  const recogniser = language === 'ta' ? await ears.fallback() : await ears.recogniser(language)
  const pairs: { said: string; heard: string }[] = []
  const firstMs: number[] = []
  let [madeMs, seconds] = [0, 0]
  for (const sentence of said) {
    const spoken = await speak(voices, voice.id, sentence)
    firstMs.push(spoken.firstMs)
    madeMs += spoken.totalMs
    seconds += spoken.samples.length / 24_000
    pairs.push({ said: sentence, heard: await hear(recogniser, spoken.samples, language) })
  }
  const rates = errorRates(pairs)
  const row = {
    voice: voice.id,
    language,
    gender: voice.gender,
    'heard by': recogniser.id,
    'WER %': (100 * rates.wordErrorRate).toFixed(1),
    'CER %': (100 * rates.characterErrorRate).toFixed(1),
    'real-time factor': (madeMs / 1_000 / seconds).toFixed(3),
    'first audio, ms': `${percentile(firstMs, 0.5).toFixed(0)} / ${percentile(firstMs, 0.95).toFixed(0)}`,
  }
  console.error(Object.values(row).join(' | '))
  return row
}

async function speak(voices: OpenVoices, voice: string, text: string) {
  async function* once(): AsyncGenerator<string> {
    yield text
  }
  const parts: Float32Array[] = []
  const fromMs = performance.now()
  let firstMs = 0
  for await (const { samples } of voices.speak(once(), { voice, signal: new AbortController().signal })) {
    firstMs ||= performance.now() - fromMs
    parts.push(Float32Array.from(samples, (sample) => sample / 32_768))
  }
  const totalMs = performance.now() - fromMs
  const samples = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    samples.set(part, at)
    at += part.length
  }
  return { samples, firstMs, totalMs }
}

async function hear(recogniser: Recogniser, samples: Float32Array, language: string): Promise<string> {
  const [transcript] = await recogniser.transcribe([resample(samples, 24_000, sampleRate)], { language })
  return transcript?.text ?? ''
}
