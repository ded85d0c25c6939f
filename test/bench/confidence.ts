import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { encodeWav } from '../../infra/speech/audio/wav.ts'
import type { SpeechEngine } from '../../infra/speech/engine/engine.ts'
import { openEngine } from '../../infra/speech/engine/open-engine.ts'
import { normalisedForScoring } from '../../infra/speech/text/error-rate.ts'
import { openVoices } from '../../infra/speech/tts/open-voices.ts'
import { noProgress } from '../../infra/telemetry/progress.ts'
import { silentLog } from '../support/silent-log.ts'
import { hinglishSentences } from './hinglish/sentences.ts'
import { speakSentences } from './hinglish/speak-sentences.ts'
import { benchPlaces } from './places.ts'
import { rightWords } from './right-words.ts'
import { readSpeech } from './speech.ts'
import { machine, printTable } from './table.ts'

interface Judged {
  readonly kind: string
  readonly confidence: number
  readonly isRight: boolean
}

const bins = 5

/**
 * Whether confidence means something: `npm run bench -- confidence --speech FOLDER`. The weights of ctc/confidence.ts were
 * fitted on every second recording; these are the others.
 */
export async function confidence(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...words], options: { speech: { type: 'string' } } })
  const { hindi, english } = await readSpeech(values.speech)
  const places = benchPlaces()
  const spoken = await speakSentences(hinglishSentences, {
    open: () => openVoices({ ...places, engine: 'neural', voicesFile: '', log: silentLog }),
    cacheFolder: join(places.cacheDir, 'bench', 'hinglish'),
  })
  const engine = await openEngine({ ...places, profile: 'balanced', startProgress: noProgress })
  const folder = await mkdtemp(join(tmpdir(), 'vaak-bench-'))
  try {
    const judged: Judged[] = []
    const kinds = { 'Hindi, real': hindi, 'English, real': english, 'Hinglish, our voices': spoken }
    for (const [kind, recordings] of Object.entries(kinds))
      for (const [at, recording] of recordings.entries())
        if (at % 2 === 1) judged.push(...(await judge(engine, join(folder, 'clip.wav'), { kind, ...recording })))
    printTable(`Reliability of word confidence: engine, balanced (${machine()})`, reliability(judged))
    printTable('Telling wrong words from right ones', [
      ...Object.keys(kinds).map((kind) =>
        separation(
          kind,
          judged.filter((one) => one.kind === kind),
        ),
      ),
      separation('all', judged),
    ])
  } finally {
    await engine.close()
    await rm(folder, { recursive: true })
  }
}

async function judge(
  engine: SpeechEngine,
  path: string,
  { kind, samples, text }: { kind: string; samples: Float32Array; text: string },
): Promise<Judged[]> {
  await writeFile(path, encodeWav({ samples, extra: new Map() }))
  const result = await engine.transcribe(path, { script: 'mixed', channels: 'mix', speechInformation: false })
  // a word such as "ill-disposed" is two when it is compared
  const heard = result.segments.flatMap((segment) =>
    segment.words.flatMap(({ word, confidence: sure }) => partsOf(word).map((part) => ({ part, sure }))),
  )
  const right = rightWords(
    partsOf(text),
    heard.map(({ part }) => part),
  )
  return heard.map(({ sure }, at) => ({ kind, confidence: sure, isRight: right[at]! }))
}

function partsOf(text: string): string[] {
  return normalisedForScoring(text).split(' ').filter(Boolean)
}

function reliability(judged: readonly Judged[]): Record<string, string>[] {
  return Array.from({ length: bins }, (_, bin) => {
    const inBin = judged.filter(({ confidence: sure }) => Math.min(bins - 1, Math.floor(sure * bins)) === bin)
    const mean = (input: (one: Judged) => number): string =>
      inBin.length === 0 ? '' : (inBin.reduce((sum, one) => sum + input(one), 0) / inBin.length).toFixed(2)
    return {
      confidence: `${bin / bins} to ${(bin + 1) / bins}`,
      words: String(inBin.length),
      'mean confidence': mean((one) => one.confidence),
      'share right': mean(({ isRight }) => (isRight ? 1 : 0)),
    }
  })
}

function separation(kind: string, judged: readonly Judged[]): Record<string, string> {
  const wrong = judged.filter(({ isRight }) => !isRight)
  return {
    words: kind,
    said: String(judged.length),
    wrong: String(wrong.length),
    AUC: areaUnderCurve(judged).toFixed(3),
  }
}

/** How often a right word has more confidence than a wrong one. */
function areaUnderCurve(judged: readonly Judged[]): number {
  const right = judged.filter(({ isRight }) => isRight)
  const wrong = judged.filter(({ isRight }) => !isRight)
  let better = 0
  for (const one of right)
    for (const other of wrong)
      better += one.confidence > other.confidence ? 1 : one.confidence === other.confidence ? 0.5 : 0
  return better / (right.length * wrong.length)
}
