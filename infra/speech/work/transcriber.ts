import { recogniserRate } from '../../../actors/conversation/ports.ts'
import type { Transcriber } from '../../../actors/chunk/ports.ts'
import type { ChunkWork } from '../../../actors/chunk/protocol.ts'
import { earlierChunkKey } from '../../../actors/ids.ts'
import type { Blobs } from '../../../actors/ports.ts'
import type { TranscribeSettings } from '../../../actors/run/state.ts'
import { readStoredJson } from '../../../actors/stored-json.ts'
import type { EarlierWords, Script } from '../../../actors/transcript/state.ts'
import type { VocabularyEntry } from '../../../actors/vocabulary/state.ts'
import { untilAborted } from '../../timing/until-aborted.ts'
import type { ChannelChunk } from '../engine/cut.ts'
import { createGate } from '../engine/gate.ts'
import type { ListenedVocabulary } from '../asr/recogniser.ts'
import { languageMixOf } from '../text/word-language.ts'
import { sentencesOf } from '../transcript/sentences.ts'
import type { TranscribedChunk } from '../transcript/transcribed-chunk.ts'
import { writeDown } from '../transcript/written.ts'
import { withSought } from '../vocabulary/sought-words.ts'
import { spellChunk } from '../vocabulary/spell.ts'
import { loadChunk } from './chunk-audio.ts'
import { storedChunkSchema } from './schemas.ts'
import { openWords } from './words.ts'

/** One chunk to be heard, with what its caller wants to know of it. */
interface ChunkTranscription {
  readonly work: ChunkWork
  readonly settings: TranscribeSettings
  readonly vocabulary?: ListenedVocabulary
  readonly signal: AbortSignal
}

export interface TranscriberParts {
  readonly blobs: Blobs
  readonly transcribe: (audio: ChannelChunk, asked: ChunkTranscription) => Promise<TranscribedChunk>
  readonly batch: Batching
}

export interface Batching {
  /** Chunks that are gathered, loaded together and transcribed together; with 1 each is by itself. */
  readonly size: number
  /** How long the first of them waits for company. */
  readonly ageMs: number
}

export function createTranscriber(parts: TranscriberParts): Transcriber {
  const transcribe = parts.batch.size > 1 ? throughGate(parts) : oneByOne(parts)
  const wordsOf = openWords(parts.blobs)
  return {
    async transcribe(work, settings, signal) {
      const words = settings.vocabulary && (await wordsOf(work, settings.vocabulary))
      const asked = { work, settings, ...(words && { vocabulary: words.listened }), signal }
      const recognised = await untilAborted(signal, () => transcribe(asked))
      const spelt = words ? spellChunk(recognised, words.spellings) : recognised
      const before = words?.sought && (await readStoredJson<object>(parts.blobs, earlierChunkKey(work, work.chunk)))
      const { heard, earlier } = words?.sought && before ? keptOf(before, spelt, words.sought) : { heard: spelt }
      return { ...summaryOf(heard, settings.script), ...(earlier && { earlier }), heard }
    },
  }
}

/** What it said before, and what of that is otherwise now. */
function keptOf(stored: object, now: TranscribedChunk, sought: readonly VocabularyEntry[]): Kept {
  const before = storedChunkSchema.parse(stored)
  const heard = withSought(before.heard, now, sought)
  // the one before may itself have been transcribed again for another word
  const { startedAtMs, attempts } = before.earlier ?? before
  return { heard, earlier: { startedAtMs, attempts, isChanged: heard !== before.heard } }
}

interface Kept {
  readonly heard: TranscribedChunk
  readonly earlier?: EarlierWords
}

type TranscribeChunk = (asked: ChunkTranscription) => Promise<TranscribedChunk>

function oneByOne({ blobs, transcribe }: TranscriberParts): TranscribeChunk {
  return async (asked) => transcribe(await loadChunk(blobs, asked.work, asked.work.chunk), asked)
}

/** In a box, so that each caller gets its answer, or its own failure, as soon as it is there and not with the last. */
interface Begun {
  readonly heard: Promise<TranscribedChunk>
}

function throughGate({ blobs, transcribe, batch }: TranscriberParts): TranscribeChunk {
  const gate = createGate<ChunkTranscription, { audio: ChannelChunk; asked: ChunkTranscription }, Begun>({
    ...batch,
    async load(asked) {
      asked.signal.throwIfAborted()
      return { audio: await loadChunk(blobs, asked.work, asked.work.chunk), asked }
    },
    run: (loaded) => Promise.resolve(loaded.map(({ audio, asked }) => ({ heard: transcribe(audio, asked) }))),
  })
  return async (asked) => (await gate.pass(asked)).heard
}

function summaryOf({ chunk, model, transcript }: TranscribedChunk, script: Script) {
  const written = sentencesOf(transcript.words).map((sentence) => writeDown(sentence, transcript.language, script))
  return {
    start: chunk.start / recogniserRate,
    end: chunk.end / recogniserRate,
    text: written.flatMap(({ punctuated }) => punctuated).join(' '),
    language: languageMixOf(written.flatMap(({ languages }) => languages)).language,
    confidence: transcript.confidence,
    model,
  }
}
