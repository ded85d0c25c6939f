import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { recogniserRate } from '../../actors/conversation/ports.ts'
import type { Segment, SpokenWord } from '../../actors/transcript/state.ts'
import { alignedResult } from '../../infra/speech/align/aligned-result.ts'
import { encodeWav } from '../../infra/speech/audio/wav.ts'
import type { TranscribedChunk } from '../../infra/speech/transcript/transcribed-chunk.ts'
import { openRecognition } from '../../infra/speech/work/open-recognition.ts'
import type { Recognition } from '../../infra/speech/work/speech-work.ts'
import { noProgress } from '../../infra/telemetry/progress.ts'
import type { Recording } from '../support/recordings.ts'
import { joinedSamples } from '../support/samples.ts'
import { anOrder } from '../support/speech-orders.ts'
import { benchPlaces } from './places.ts'
import { readSpeech } from './speech.ts'
import { machine, percentile, printTable } from './table.ts'

const gapSeconds = 0.8
const longestSeconds = 3600
/** Of the texts with faults: every so many words one is not in the text, and so many lines nobody said. */
const leftOutEvery = 7
const strangeLines = ['यह पंक्ति किसी ने कभी नहीं पढ़ी', 'nobody has ever said this sentence here']

interface Timed {
  readonly seconds: number
  readonly computedMs: number
  readonly laidMs: number
  readonly segments: readonly Segment[]
}

/**
 * When words were said, of clips that are joined with silence between them: `npm run bench -- align --speech FOLDER`. The borders of clips
 * are known; inside of them words that the recogniser wrote as they are in the text have times of its own.
 */
export async function benchAlign(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: { speech: { type: 'string' }, profile: { type: 'string' } },
  })
  const { hindi, english } = await readSpeech(values.speech)
  const profile = values.profile === 'fast' ? 'fast' : 'balanced'
  const recognition = openRecognition({
    ...benchPlaces(),
    profile,
    maxSeconds: longestSeconds,
    fileSlots: 1,
    startProgress: noProgress,
  })
  const folder = await mkdtemp(join(tmpdir(), 'vaak-bench-'))
  try {
    const rows: Record<string, string | number>[] = []
    for (const [kind, clips] of Object.entries({
      Hindi: hindi,
      English: english,
      'both by turns': mixed(hindi, english),
    })) {
      const path = join(folder, 'joined.wav')
      await writeFile(path, encodeWav({ samples: joined(clips), extra: new Map() }))
      const own = await ownTimes(recognition, path)
      const whole = await timesOf(
        recognition,
        path,
        clips.map(({ text }) => text),
      )
      rows.push({ text: kind, ...figures(clips, whole, own) })
      const faulty = await timesOf(recognition, path, withFaults(clips))
      const told = { ...faulty, segments: faulty.segments.filter(({ text }) => !strangeLines.includes(text)) }
      const strange = faulty.segments.filter(({ text }) => strangeLines.includes(text)).flatMap((one) => one.words)
      const rejected = strange.filter(({ interpolated }) => interpolated).length
      rows.push({
        text: `${kind}, with faults`,
        ...figures(clips, told, own),
        'strange words rejected': `${rejected} of ${strange.length}`,
      })
    }
    printTable(`Alignment, ${profile} (${machine()})`, rows)
  } finally {
    await recognition.close()
    await rm(folder, { recursive: true })
  }
}

function mixed(hindi: readonly Recording[], english: readonly Recording[]): Recording[] {
  return english.flatMap((clip, at) => [hindi[at]!, clip])
}

function joined(clips: readonly Recording[]): Float32Array {
  const gap = new Float32Array(gapSeconds * recogniserRate)
  return joinedSamples(clips.flatMap(({ samples }) => [samples, gap]))
}

function withFaults(clips: readonly Recording[]): string[] {
  const lines = clips.map(({ text }) =>
    text
      .split(' ')
      .filter((_, at) => at % leftOutEvery !== leftOutEvery - 1)
      .join(' '),
  )
  return [...lines.slice(0, 1), strangeLines[0]!, ...lines.slice(1, 2), strangeLines[1]!, ...lines.slice(2)]
}

async function timesOf(recognition: Recognition, path: string, lines: readonly string[]): Promise<Timed> {
  const startedMs = performance.now()
  const { chunks, seconds } = await hear(recognition, path, lines.join('\n'))
  const heardMs = performance.now()
  const emissions = chunks.flatMap((chunk) => chunk.emissions ?? [])
  const parts = { emissions, durationSeconds: seconds, model: '', script: 'mixed' as const, warnings: [] }
  const { segments } = alignedResult({ ...parts, saidText: lines.join('\n') })
  return { seconds, computedMs: heardMs - startedMs, laidMs: performance.now() - heardMs, segments }
}

/** As the recogniser has them, in the same recording. */
async function ownTimes(recognition: Recognition, path: string): Promise<SpokenWord[]> {
  const { chunks } = await hear(recognition, path)
  return chunks.flatMap(({ chunk, transcript }) =>
    transcript.words
      .map((word) => ({
        ...word,
        start: word.start + chunk.start / recogniserRate,
        end: word.end + chunk.start / recogniserRate,
      }))
      .filter(({ start, end }) =>
        inside((start + end) / 2, { start: chunk.ownStart / recogniserRate, end: chunk.ownEnd / recogniserRate }),
      )
      .map(({ text, start, end, confidence }) => ({ word: text, start, end, confidence, language: '' })),
  )
}

async function hear(
  recognition: Recognition,
  path: string,
  saidText?: string,
): Promise<{ chunks: TranscribedChunk[]; seconds: number }> {
  const { signal } = new AbortController()
  const order = anOrder()
  const settings = { ...order.settings, ...(saidText !== undefined && { saidText }) }
  const cutting = await recognition.cut(path, order, signal)
  const chunks: TranscribedChunk[] = []
  for await (const audio of cutting)
    chunks.push(
      await recognition.transcribe(audio, { work: { ...order, chunk: chunks.length, attempt: 1 }, settings, signal }),
    )
  return { chunks, seconds: cutting.seconds }
}

function inside(seconds: number, { start, end }: { start: number; end: number }): boolean {
  return seconds >= start && seconds < end
}

function figures(
  clips: readonly Recording[],
  timed: Timed,
  own: readonly SpokenWord[],
): Record<string, string | number> {
  const borders = bordersOf(clips)
  const words = timed.segments.flatMap((segment, clip) => segment.words.map((word) => ({ ...word, clip })))
  const found = words.filter(({ interpolated }) => !interpolated)
  const placed = found.filter(({ clip, start, end }) => inside((start + end) / 2, borders[clip]!))
  const errors = found.flatMap((word) => {
    const same = own.filter((one) => one.word === bare(word.word) && inside(one.start, borders[word.clip]!))
    // of a word that is twice in a clip nobody knows which one it is
    const isOnce = clips[word.clip]!.text.split(' ').filter((one) => bare(one) === bare(word.word)).length === 1
    return isOnce && same.length === 1 ? [Math.abs(same[0]!.start - word.start), Math.abs(same[0]!.end - word.end)] : []
  })
  const ms = (share: number): string => `${Math.round(1000 * percentile(errors, share))} ms`
  return {
    words: words.length,
    found: percent(found.length, words.length),
    'in their clip': percent(placed.length, found.length),
    'borders compared': errors.length,
    median: ms(0.5),
    '90 %': ms(0.9),
    '99 %': ms(0.99),
    'times real time': Math.round((1000 * timed.seconds) / timed.computedMs),
    'laying over': `${Math.round(timed.laidMs)} ms of ${Math.round(timed.seconds)} s`,
    'strange words rejected': '',
  }
}

function bordersOf(clips: readonly Recording[]): { start: number; end: number }[] {
  let start = 0
  return clips.map(({ samples }) => {
    const own = { start, end: start + samples.length / recogniserRate }
    start = own.end + gapSeconds
    return own
  })
}

function bare(word: string): string {
  return word.toLowerCase().replaceAll(/[^\p{L}\p{M}']/gu, '')
}

function percent(part: number, all: number): string {
  return `${((100 * part) / Math.max(all, 1)).toFixed(1)} %`
}
