import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import type { Listener } from '../../actors/conversation/ports.ts'
import { alignWords } from '../../infra/speech/align/align-text.ts'
import { packRows } from '../../infra/speech/align/emissions.ts'
import { openModels } from '../../infra/speech/asr/open-models.ts'
import { modelsFor } from '../../infra/speech/asr/profiles.ts'
import type { Recogniser } from '../../infra/speech/asr/recogniser.ts'
import { openListener } from '../../infra/speech/engine/listener.ts'
import { openStore } from '../../infra/speech/models/open-store.ts'
import { errorRates } from '../../infra/speech/text/error-rate.ts'
import { openVad } from '../../infra/speech/vad/open-vad.ts'
import { speechProbabilities } from '../../infra/speech/vad/silero.ts'
import { noProgress } from '../../infra/telemetry/progress.ts'
import type { Recording } from '../support/recordings.ts'
import { joinedSamples } from '../support/samples.ts'
import { benchPlaces } from './places.ts'
import { readSpeech } from './speech.ts'
import { machine, percentile, printTable } from './table.ts'

const rate = 16_000
const frame = 512
/** The silence that ends a turn, as sessions have it unless they say otherwise. */
const silenceSeconds = 0.5
/** What comes before speech, the same. */
const beforeFrames = Math.floor((0.3 * rate) / frame)
const speechAbove = 0.35
/** Those that follow. */
const earsProfiles = ['auto', 'fast', 'balanced'] as const

/** A turn as it is spoken: a frame every 32 ms, and after each so many samples of silence, as the detector says. */
interface SpokenTurn {
  readonly clip: Recording
  readonly samples: Float32Array
  /** The first of its samples: what came before somebody was found to speak, as sessions have it. */
  readonly before: number
  readonly quiet: readonly number[]
  /** When its first word had been said, since somebody was found to speak. */
  readonly firstWordMs: number
}

type Row = Readonly<Record<string, string | number>>

interface Followed {
  readonly text: string
  /** From the end of the turn to its text. */
  readonly afterMs: number
  /** From the end of its first word to the first words that were told. */
  readonly firstMs: number | undefined
}

/** What is gained and lost by transcribing turns while they are spoken: `-- ears [--speech FOLDER] [--profile NAME] [--clips N]`. */
export async function ears(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      speech: { type: 'string' },
      profile: { type: 'string', default: 'auto' },
      clips: { type: 'string', default: '100' },
    },
  })
  const profile = earsProfiles.find((one) => one === values.profile) ?? 'auto'
  const places = benchPlaces('')
  const listener = openListener({ ...places, profile, whisperModel: '', follows: true, startProgress: noProgress })
  await listener.warm()
  const { hindi, english } = await readSpeech(values.speech)
  const rows: Row[] = []
  for (const [language, clips] of Object.entries({ hindi, english }))
    rows.push(...(await rowsOf(listener, language, await spokenTurns(clips.slice(0, Number(values.clips))))))
  await listener.close()
  printTable(`Turns transcribed when they are over, and while they are spoken in real time (${machine()})`, rows)
}

async function rowsOf(listener: Listener, language: string, turns: readonly SpokenTurn[]): Promise<Row[]> {
  const ways = {
    'when it is over': (turn: SpokenTurn) => whole(listener, turn),
    'while it is spoken': (turn: SpokenTurn) => follow(listener, turn, false),
    'and told': (turn: SpokenTurn) => follow(listener, turn, true),
  }
  const rows: Row[] = []
  for (const [way, transcribe] of Object.entries(ways)) {
    const done: Followed[] = []
    for (const turn of turns) done.push(await transcribe(turn))
    const { wordErrorRate, characterErrorRate } = errorRates(
      done.map(({ text }, at) => ({ said: turns[at]!.clip.text, heard: text })),
    )
    const after = done.map(({ afterMs }) => afterMs)
    const first = done.flatMap(({ firstMs }) => firstMs ?? [])
    rows.push({
      language,
      way,
      clips: turns.length,
      'WER %': (100 * wordErrorRate).toFixed(1),
      'CER %': (100 * characterErrorRate).toFixed(1),
      'after the turn p50 ms': Math.round(percentile(after, 0.5)),
      'p95 ms': Math.round(percentile(after, 0.95)),
      'first words told after they were said p50 ms': first.length === 0 ? '' : Math.round(percentile(first, 0.5)),
    })
  }
  return rows
}

async function whole(listener: Listener, { samples }: SpokenTurn): Promise<Followed> {
  const fromMs = performance.now()
  const { text } = await listener.transcribe(samples, { signal: new AbortController().signal })
  return { text, afterMs: performance.now() - fromMs, firstMs: undefined }
}

async function follow(listener: Listener, turn: SpokenTurn, isTold: boolean): Promise<Followed> {
  const { samples, before, quiet, firstWordMs } = turn
  const fromMs = performance.now()
  let [came, read] = [0, 0]
  let firstMs: number | undefined
  const followed = listener.follow({
    async read() {
      const more = samples.slice(read, came)
      read = came
      return more
    },
    ...(isTold && { tell: () => void (firstMs ??= performance.now() - fromMs - firstWordMs) }),
  })!
  for (const [at, silent] of quiet.entries()) {
    await pause(Math.max(0, fromMs + ((at + 1) * frame * 1_000) / rate - performance.now()))
    came = before + (at + 1) * frame
    followed.came(came, silent)
  }
  const endMs = performance.now()
  const { text } = await followed.finish()
  return { text, afterMs: performance.now() - endMs, firstMs }
}

/** Each begins where somebody begins to speak. */
async function spokenTurns(clips: readonly Recording[]): Promise<SpokenTurn[]> {
  const store = openStore(benchPlaces(''))
  const vad = await openVad(store, async () => undefined)
  const models = openModels({ store, cores: 1, fetch: async () => undefined }).of(modelsFor('fast'))
  const recogniser = await models.first()
  const turns: SpokenTurn[] = []
  for (const clip of clips) {
    const padded = joinedSamples([clip.samples, new Float32Array(silenceSeconds * rate)])
    const isSpeech = Array.from(await speechProbabilities(vad, padded), (probability) => probability >= speechAbove)
    const [first, last] = [isSpeech.indexOf(true), isSpeech.lastIndexOf(true)]
    const end = Math.min(isSpeech.length, last + Math.ceil((silenceSeconds * rate) / frame))
    const within = isSpeech.slice(first, end)
    const before = Math.min(first, beforeFrames) * frame
    const samples = padded.subarray(first * frame - before, end * frame)
    turns.push({
      clip,
      samples,
      before,
      firstWordMs: ((await endOfFirstWord(recogniser, samples, clip.text)) - before / rate) * 1_000,
      quiet: within.map((_, at) => (at - within.lastIndexOf(true, at)) * frame),
    })
  }
  await vad.close()
  await models.close()
  return turns
}

/** As its letters lie in the audio, whatever a recogniser would make of them. Seconds. */
async function endOfFirstWord(recogniser: Recogniser, samples: Float32Array, text: string): Promise<number> {
  const [heard] = await recogniser.emissions!([samples])
  const { symbols, secondsAFrame, logProbs } = heard!
  const emissions = { symbols, secondsAFrame, start: 0, rows: packRows(logProbs) }
  return alignWords(text.split(' '), [emissions], samples.length / rate)[0]!.end
}
