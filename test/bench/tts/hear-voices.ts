import { appendFile, readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'

import { z } from 'zod'

import { recogniserRate, spokenRate } from '../../../actors/conversation/ports.ts'
import type { Voice } from '../../../actors/conversation/ports.ts'
import { openModels } from '../../../infra/speech/asr/open-models.ts'
import { modelsFor } from '../../../infra/speech/asr/profiles.ts'
import type { Recogniser } from '../../../infra/speech/asr/recogniser.ts'
import type { RouterModels } from '../../../infra/speech/asr/task.ts'
import { resample } from '../../../infra/speech/audio/signal/resample.ts'
import type { ModelStore } from '../../../infra/speech/models/store.ts'
import { errorRates } from '../../../infra/speech/text/error-rate.ts'
import type { OpenVoices } from '../../../infra/speech/tts/open-voices.ts'
import { knownAgain } from './known-again.ts'
import { sentences } from './sentences.ts'
import { sentencesIn, benchSpeak } from './speak.ts'

interface RecognisedVoice {
  readonly engines: readonly ('light' | 'neural')[]
  readonly open: (engine: 'light' | 'neural') => OpenVoices
  readonly store: ModelStore
  /** Ids; every voice when undefined. */
  readonly only: readonly string[] | undefined
  /** Sentences a voice. */
  readonly count: number
  /** A file of rows that need not be measured again; empty when there is none. */
  readonly keep: string
}

const rowSchema = z.record(z.string(), z.string())
type Row = z.infer<typeof rowSchema>

/** Each voice speaks the sentences of its language, and our own recogniser for that language writes them down. */
export async function hearVoices({ engines, open, store, only, count, keep }: RecognisedVoice): Promise<Row[]> {
  const models = openModels({
    store,
    cores: availableParallelism(),
    fetch: async (id) => void (await store.fetch(id)),
  })
  // no model of ours is made for Tamil: the largest Whisper that comes from a package hears it
  const recognition = models.of({ ...modelsFor('balanced'), other: 'whisper-small' })
  const rows = await keptRows(keep)
  for (const engine of engines) {
    const voices = open(engine)
    for (const voice of voices.list().filter(({ id }) => only?.includes(id) ?? true)) {
      const known = rows.some((row) => row['voice'] === voice.id && row['engine'] === engine)
      if (known) continue
      const row = { engine, ...(await roundTrip({ voices, voice, recognition, count })) }
      rows.push(row)
      if (keep !== '') await appendFile(keep, `${JSON.stringify(row)}\n`)
    }
    await voices.close()
  }
  await models.close()
  return rows
}

async function keptRows(path: string): Promise<Row[]> {
  if (path === '') return []
  const text = await readFile(path, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => rowSchema.parse(JSON.parse(line)))
}

interface Trip {
  readonly voices: OpenVoices
  readonly voice: Voice
  readonly recognition: RouterModels
  readonly count: number
}

async function roundTrip({ voices, voice, recognition, count }: Trip): Promise<Row> {
  const language = sentencesIn(voice.language)
  const recogniser = language === 'ta' ? await recognition.fallback() : await recognition.recogniser(language)
  const pairs: { said: string; heard: string }[] = []
  for (const said of sentences[language].slice(0, count)) {
    const { samples } = await benchSpeak(voices, voice.id, said)
    pairs.push({ said, heard: await hear(recogniser, samples, language) })
  }
  const rates = errorRates(pairs)
  const row = {
    voice: voice.id,
    language,
    gender: voice.gender,
    sentences: String(pairs.length),
    'heard by': recogniser.id,
    'WER %': (100 * rates.wordErrorRate).toFixed(1),
    'CER %': (100 * rates.characterErrorRate).toFixed(1),
    'known again': String(knownAgain(pairs, sentences[language])),
  }
  console.error(Object.values(row).join(' | '))
  return row
}

async function hear(recogniser: Recogniser, samples: Float32Array, language: string): Promise<string> {
  const [transcript] = await recogniser.transcribe([resample(samples, spokenRate, recogniserRate)], { language })
  return transcript?.text ?? ''
}
