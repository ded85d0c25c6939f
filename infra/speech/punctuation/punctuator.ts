import type { Word } from '../asr/recogniser.ts'
import type { ModelStore } from '../models/store.ts'
import { lazily } from '../threads/lazily.ts'
import { openWorkerPool } from '../threads/pool.ts'
import type { WorkerPool } from '../threads/pool.ts'
import type { Chances } from './chances.ts'
import { marksIn } from './marks.ts'
import type { ReadWord } from './reading.ts'
import { writeWords } from './write-words.ts'

/** Gives words their written form: marks after them, and capitals. */
export interface Punctuator {
  punctuate(words: readonly Word[], signal?: AbortSignal): Promise<Word[]>
  /** How likely a sentence ends after the last word, 0 to 1. */
  endChance(words: readonly Word[], signal?: AbortSignal): Promise<number>
  /** Opens the model before the first words come. */
  prepare(): Promise<void>
  close(): Promise<void>
}

/** What the model thinks of words, without what is made of it. */
export type Reader = WorkerPool<readonly ReadWord[], Chances[]>

export const punctuationModel = 'vaak-punctuation'
/** Seconds that whoever pauses is taken to be silent. */
const lastPause = 0.5

interface PunctuatorOptions {
  readonly store: ModelStore
  readonly fetch: (id: string) => Promise<void>
}

/** Opened when the first words come. */
export function createPunctuator(options: PunctuatorOptions): Punctuator {
  const thread = lazily(() => openReader(options))
  return {
    async punctuate(words, signal) {
      if (words.length === 0) return []
      return writeWords(words, await (await thread.get()).run(readWordsOf(words), signal))
    },
    async endChance(words, signal) {
      const read = readWordsOf(words).map((word, at) =>
        at === words.length - 1 ? { ...word, pause: lastPause } : word,
      )
      const last = (await (await thread.get()).run(read, signal)).at(-1)
      return last ? last.stop + last.question : 0
    },
    async prepare() {
      await thread.get()
    },
    close: () => thread.close(),
  }
}

/** One thread: a chunk takes it a hundredth of the time that recognising does. */
export async function openReader({ store, fetch }: PunctuatorOptions): Promise<Reader> {
  await fetch(punctuationModel)
  const { files } = await store.locate(punctuationModel)
  return openWorkerPool<readonly ReadWord[], Chances[]>({
    entry: new URL('./worker.js', import.meta.url),
    workerData: { modelPath: files['punctuation.onnx'], vocabularyPath: files['vocab.json'] },
    size: 1,
    holdsModel: true,
    decode: (answer) => answer as Chances[], // as: our own thread made it, and it is only numbers
  })
}

/** What the model is asked: bare words, as if none had been written with marks, and the pauses between them. */
export function readWordsOf(words: readonly Word[]): ReadWord[] {
  return words.map(({ text, end }, at) => ({
    text: marksIn(text).bare,
    pause: (words[at + 1]?.start ?? end) - end,
  }))
}
