import type { FileResult, Script, Segment, SpokenWord, Tag } from '../../actors/transcript/state.ts'
import type { Transcript, Word } from './asr/recogniser.ts'
import { sampleRate } from './audio/mel.ts'
import { joinChunks } from './join.ts'
import { sentencesOf } from './sentences.ts'
import { renderWords } from './text/transliterate.ts'
import { languageMixOf, languagesOfWords } from './text/word-language.ts'
import type { Chunk } from './vad/plan.ts'

/** What one chunk says, before the file is put together. Plain JSON: it may travel and be stored. */
export interface HeardChunk {
  readonly chunk: Chunk
  readonly channel: number
  readonly model: string
  readonly transcript: Transcript
}

export interface Assembly {
  readonly chunks: readonly HeardChunk[]
  readonly durationSeconds: number
  readonly script: Script
  readonly channels: number
  readonly tags: readonly ChannelTag[]
  readonly warnings: readonly string[]
}

export interface ChannelTag extends Tag {
  readonly channel: number
}

interface PlacedWord extends Word {
  readonly channel: number
  readonly model: string
  readonly language: string
}

/** One transcript out of all chunks, whatever order they came in: same chunks, same result. */
export function assemble(of: Assembly): FileResult {
  const channels = Array.from({ length: of.channels }, (_, channel) => wordsOfChannel(of.chunks, channel))
  const segments = channels
    .flatMap((words) => sentencesOf(words).map((sentence) => segmentOf(sentence, of)))
    .sort((one, other) => one.start - other.start || (one.channel ?? 0) - (other.channel ?? 0))
  const withTags = placeTags(segments, of)
  const mix = languageMixOf(withTags.flatMap(({ words }) => words))
  return {
    text: withTags.map(({ text }) => text).join(' '),
    language: mix.language,
    languages: mix.languages,
    duration_seconds: rounded(of.durationSeconds),
    segments: withTags,
    model: modelsOf(channels.flat()),
    script: of.script,
    warnings: of.warnings,
  }
}

function wordsOfChannel(chunks: readonly HeardChunk[], channel: number): PlacedWord[] {
  const heard = chunks
    .filter((one) => one.channel === channel)
    .sort((one, other) => one.chunk.start - other.chunk.start)
  const joined = joinChunks(heard.map(({ chunk, transcript }) => ({ chunk, words: transcript.words })))
  return joined.map((word) => {
    const from = answeringFor(heard, (word.start + word.end) / 2)
    return { ...word, channel, model: from?.model ?? '', language: from?.transcript.language ?? 'und' }
  })
}

/** The chunk that a moment belongs to; at the seam of two, the one whose middle is nearer. */
function answeringFor(heard: readonly HeardChunk[], seconds: number): HeardChunk | undefined {
  const at = seconds * sampleRate
  const distance = ({ chunk }: HeardChunk): number => Math.max(chunk.ownStart - at, at - chunk.ownEnd, 0)
  return heard.reduce<HeardChunk | undefined>(
    (best, one) => (best && distance(best) <= distance(one) ? best : one),
    undefined,
  )
}

function segmentOf(sentence: readonly PlacedWord[], of: Assembly): Segment {
  const [first, last] = [sentence[0]!, sentence.at(-1)!]
  const languages = languagesOfWords(
    sentence.map(({ text }) => text),
    first.language,
  )
  const spoken = sentence.map(({ text }, index) => ({ word: text, language: languages[index]!.language }))
  const written = renderWords(spoken, of.script)
  const words: SpokenWord[] = sentence.map((word, index) => ({
    word: written[index]!,
    start: rounded(word.start),
    end: rounded(word.end),
    language: languages[index]!.language,
    confidence: rounded(word.confidence),
  }))
  return {
    start: rounded(first.start),
    end: rounded(last.end),
    text: written.join(' '),
    language: languageMixOf(languages).language,
    confidence: rounded(sentence.reduce((sum, { confidence }) => sum + confidence, 0) / sentence.length),
    words,
    tags: [],
    model: modelsOf(sentence),
    ...(of.channels > 1 && { channel: first.channel }),
  }
}

/** A tag goes to the segment in which, or after which, it begins; before the first segment it has no place. */
function placeTags(segments: readonly Segment[], of: Assembly): Segment[] {
  const tagsOf = segments.map((): Tag[] => [])
  for (const { channel, ...tag } of of.tags) {
    const index = segments.findLastIndex((segment) => (segment.channel ?? 0) === channel && segment.start <= tag.start)
    tagsOf[index]?.push({
      ...tag,
      start: rounded(tag.start),
      end: rounded(tag.end),
      confidence: rounded(tag.confidence),
    })
  }
  return segments.map((segment, index) => withTags(segment, tagsOf[index]!))
}

function withTags(segment: Segment, tags: readonly Tag[]): Segment {
  if (tags.length === 0) return segment
  const pieces = [
    ...segment.words.map(({ word, start }) => ({ text: word, start })),
    ...tags.map(({ type, start }) => ({ text: `[${type}]`, start })),
  ].sort((one, other) => one.start - other.start)
  return { ...segment, tags, text: pieces.map(({ text }) => text).join(' ') }
}

function modelsOf(words: readonly PlacedWord[]): string {
  const counts = new Map<string, number>()
  for (const { model } of words) counts.set(model, (counts.get(model) ?? 0) + 1)
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([model]) => model)
    .join('+')
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
