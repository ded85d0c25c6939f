import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import type { FileResult } from '../../../actors/transcript/state.ts'
import type { Seconds } from '../../../infra/speech/analysis/prosody.ts'
import { profiles } from '../../../actors/run/state.ts'
import { encodeWav } from '../../../infra/speech/audio/wav.ts'
import type { SpeechEngine } from '../../../infra/speech/engine/engine.ts'
import { filesAtOnce, openEngine } from '../../../infra/speech/engine/open-engine.ts'
import { openStore } from '../../../infra/speech/models/open-store.ts'
import { errorRates } from '../../../infra/speech/text/error-rate.ts'
import { spanInSeconds } from '../../../infra/speech/transcript/gaps.ts'
import { openVoices } from '../../../infra/speech/tts/open-voices.ts'
import { openVad } from '../../../infra/speech/vad/open-vad.ts'
import { defaultSegmentOptions, speechSpans } from '../../../infra/speech/vad/segments.ts'
import { speechProbabilities } from '../../../infra/speech/vad/silero.ts'
import type { VoiceActivity } from '../../../infra/speech/vad/silero.ts'
import { noProgress } from '../../../infra/telemetry/progress.ts'
import { silentLog } from '../../support/silent-log.ts'
import { benchPlaces } from '../places.ts'
import { readSpeech } from '../speech.ts'
import { machine, printTable } from '../table.ts'
import { mixtureOf } from './mixtures.ts'
import type { ClipMixture } from './mixtures.ts'
import { scoreOf, scoreSummary } from './score.ts'
import { hinglishSentences } from './sentences.ts'
import { speakSentences } from './speak-sentences.ts'

type Row = Readonly<Record<string, string>>

/**
 * Hindi and English in one recording, through the whole engine, the language never told:
 * `npm run bench -- hinglish --speech FOLDER [--profile balanced] [--seeds 10] [--from 101] [--texts]`
 */
export async function benchHinglish(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      speech: { type: 'string' },
      profile: { type: 'string', default: 'balanced' },
      seeds: { type: 'string', default: '10' },
      /** Rules were made with seeds below a hundred: figures are those of others. */
      from: { type: 'string', default: '101' },
      texts: { type: 'boolean', default: false },
    },
  })
  const profile = profiles.find((name) => name === values.profile)
  if (!profile) throw new Error(`--profile is one of ${profiles.join(', ')}`)
  const speech = await readSpeech(values.speech)
  const places = benchPlaces()
  const engine = await openEngine({ ...places, profile, startProgress: noProgress, filesAtOnce: filesAtOnce() })
  const store = openStore(places)
  const vad = await openVad(store, async (id) => void (await store.fetch(id)))
  const folder = await mkdtemp(join(tmpdir(), 'vaak-bench-'))
  try {
    const hear = hearingIn(folder, engine, values.texts)
    const listen = (samples: Float32Array): Promise<Seconds[]> => speechIn(vad, samples)
    const seeds = Array.from({ length: Number(values.seeds) }, (_, at) => Number(values.from) + at)
    const mixtures = seeds.map((seed) => mixtureOf(speech, seed))
    printTable(`Real clips in one recording, and alone: engine, ${profile} (${machine()})`, [
      await together(mixtures, hear, listen),
      await alone(mixtures, hear, listen),
    ])
    const spoken = await speakSentences(hinglishSentences, {
      open: () => openVoices({ ...places, engine: 'neural', voicesFile: '', log: silentLog }),
      cacheFolder: join(places.cacheDir, 'bench', 'hinglish'),
    })
    const pairs: { said: string; heard: string }[] = []
    for (const { text, samples } of spoken) pairs.push({ said: text, heard: wordsOf(await hear(samples)) })
    const rates = errorRates(pairs)
    printTable(`Hinglish sentences by our neural voices: engine, ${profile}`, [
      {
        sentences: String(pairs.length),
        'WER %': (100 * rates.wordErrorRate).toFixed(1),
        'CER %': (100 * rates.characterErrorRate).toFixed(1),
      },
    ])
  } finally {
    await Promise.all([engine.close(), vad.close()])
    await rm(folder, { recursive: true })
  }
}

type Hear = (samples: Float32Array) => Promise<FileResult>
type Listen = (samples: Float32Array) => Promise<Seconds[]>

async function speechIn(vad: VoiceActivity, samples: Float32Array): Promise<Seconds[]> {
  const options = { ...defaultSegmentOptions, paddingSeconds: 0 }
  return speechSpans(await speechProbabilities(vad, samples), samples.length, options).map(spanInSeconds)
}

function hearingIn(folder: string, engine: SpeechEngine, texts: boolean): Hear {
  let count = 0
  return async (samples) => {
    const path = join(folder, `${(count += 1)}.wav`)
    await writeFile(path, encodeWav({ samples, extra: new Map() }))
    const result = await engine.transcribe(path, { script: 'mixed', channels: 'mix', speechInformation: false })
    if (texts)
      console.log(`${count}: ${result.text}  ${JSON.stringify(result.warnings)} ${JSON.stringify(result.gaps ?? [])}`)
    return result
  }
}

async function together(mixtures: readonly ClipMixture[], hear: Hear, listen: Listen): Promise<Row> {
  const scores = []
  for (const mixture of mixtures)
    scores.push(scoreOf(mixture, await hear(mixture.samples), await listen(mixture.samples)))
  return { files: `${mixtures.length} mixtures`, ...scoreSummary(scores) }
}

/** The same clips as often as the mixtures have them, each as a file of its own. */
async function alone(mixtures: readonly ClipMixture[], hear: Hear, listen: Listen): Promise<Row> {
  const results = new Map<string, FileResult>()
  const scores = []
  for (const { clip, language, start, end } of mixtures.flatMap(({ parts }) => parts)) {
    const result = results.get(clip.name) ?? (await hear(clip.samples))
    results.set(clip.name, result)
    const part = { language, clip, start: 0, end: end - start }
    scores.push(scoreOf({ seed: 0, samples: clip.samples, parts: [part] }, result, await listen(clip.samples)))
  }
  return { files: `${scores.length} clips`, ...scoreSummary(scores) }
}

function wordsOf({ segments }: FileResult): string {
  return segments.flatMap(({ words }) => words.map(({ word }) => word)).join(' ')
}
