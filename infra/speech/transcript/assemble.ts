import type {
  FileResult,
  Script,
  Segment,
  SpeechInformation,
  SpokenWord,
  StoredTranscript,
  Tag,
} from '../../../actors/transcript/state.ts'
import { recogniserRate } from '../../../actors/conversation/ports.ts'
import { analyseFile } from '../analysis/speech-information.ts'
import type { SegmentInformation as Measured } from '../analysis/speech-information.ts'
import type { Word } from '../asr/recogniser.ts'
import { languageMixOf } from '../text/word-language.ts'
import { doubts } from './doubts.ts'
import { gapsOf, spanInSeconds } from './gaps.ts'
import { joinChunks } from './join.ts'
import { segmentText } from './pieces.ts'
import { rounded } from './rounded.ts'
import { sentencesOf } from './sentences.ts'
import type { TranscribedChunk, MissingChunk } from './transcribed-chunk.ts'
import { languagesOf, writeDown } from './written.ts'

export interface Assembly {
  readonly chunks: readonly TranscribedChunk[]
  readonly durationSeconds: number
  readonly script: Script
  readonly channels: number
  readonly speechInformation: boolean
  /** How many people speak, where somebody knows. Of the sides of a call it says nothing. */
  readonly speakers?: number
  /** What a reader should know of the file; passages in doubt are added to it. */
  readonly warnings: readonly string[]
  readonly missing?: readonly MissingChunk[]
}

interface Channel {
  readonly heard: readonly TranscribedChunk[]
  readonly missing: readonly MissingChunk[]
}

interface PlacedWord extends Word {
  readonly channel: number
  readonly model: string
  /** The language of its chunk. */
  readonly heardAs: string
}

/** One transcript out of all chunks, whatever order they came in: same chunks, same result. */
export function assemble(input: Assembly): FileResult {
  return channelTranscript(input).result
}

/** The same, and the words as they were heard. */
export function channelTranscript(
  input: Assembly,
): Required<Omit<StoredTranscript, 'chunks' | 'waveform' | 'sameAs' | 'receipt'>> {
  const channels = Array.from({ length: input.channels }, (_, channel) => {
    const heard = input.chunks
      .filter((one) => one.channel === channel)
      .sort((one, other) => one.chunk.start - other.chunk.start)
    const missing = (input.missing ?? []).filter((one) => one.channel === channel)
    return { heard, missing, words: wordsOfChannel(heard, channel) }
  })
  const placed = channels
    .flatMap((channel) => {
      const sentences = sentencesOf(channel.words)
      const written = sentences.map((sentence) => segmentOf(sentence, input))
      return describe(written, channel, input).map((segment, at) => ({ segment, sentence: sentences[at]! }))
    })
    .sort(
      ({ segment: one }, { segment: other }) => one.start - other.start || (one.channel ?? 0) - (other.channel ?? 0),
    )
  const segments = placed.map(({ segment }) => segment)
  const mix = languageMixOf(segments.flatMap(({ words }) => words))
  const gaps = channels.flatMap(gapsOf).sort((one, other) => one.start - other.start)
  const result = {
    text: segments.map(({ text }) => text).join(' '),
    language: mix.language,
    languages: mix.languages.map(({ code, share }) => ({ code, share: rounded(share) })),
    duration_seconds: rounded(input.durationSeconds),
    segments,
    model: modelsOf(channels.flatMap(({ words }) => words)),
    script: input.script,
    warnings: [...input.warnings, ...doubts(input.chunks, segments)],
    ...(gaps.length > 0 && { gaps }),
  }
  return {
    result,
    spoken: placed.map(({ sentence }) => sentence.map(({ text }) => text)),
    punctuated: placed.map(({ sentence }) => sentence.map(({ text, written = text }) => written)),
  }
}

function wordsOfChannel(heard: readonly TranscribedChunk[], channel: number): PlacedWord[] {
  const joined = joinChunks(heard.map(({ chunk, transcript }) => ({ chunk, words: transcript.words })))
  return joined.map((word) => {
    const from = answeringFor(heard, (word.start + word.end) / 2)
    return {
      ...word,
      channel,
      model: word.model ?? from?.model ?? '',
      heardAs: from?.transcript.language ?? 'und',
    }
  })
}

/** The chunk that a moment belongs to; at the seam of two, the one whose middle is nearer. They come in order of time. */
function answeringFor(heard: readonly TranscribedChunk[], seconds: number): TranscribedChunk | undefined {
  const at = seconds * recogniserRate
  let [low, high] = [0, heard.length]
  while (low < high) {
    const between = (low + high) >> 1
    if (heard[between]!.chunk.ownEnd < at) low = between + 1
    else high = between
  }
  const [before, after] = [heard[low - 1], heard[low]]
  if (!before || !after) return before ?? after
  return at - before.chunk.ownEnd <= Math.max(after.chunk.ownStart - at, 0) ? before : after
}

function segmentOf(sentence: readonly PlacedWord[], input: Assembly): Segment {
  const [first, last] = [sentence[0]!, sentence.at(-1)!]
  const { words: written, punctuated, languages } = writeDown(sentence, first.heardAs, input.script)
  const words: SpokenWord[] = sentence.map((word, index) => ({
    word: written[index]!,
    ...(word.written !== undefined && { punctuated_word: punctuated[index]! }),
    start: rounded(word.start),
    end: rounded(word.end),
    language: languages[index]!.language,
    confidence: rounded(word.confidence),
    ...(word.heard !== undefined && { heard: word.heard }),
  }))
  return {
    start: rounded(first.start),
    end: rounded(last.end),
    text: punctuated.join(' '),
    language: languageMixOf(languages).language,
    confidence: rounded(sentence.reduce((sum, { confidence }) => sum + confidence, 0) / sentence.length),
    words,
    tags: [],
    model: modelsOf(sentence),
    ...(input.channels > 1 && { channel: first.channel }),
  }
}

/** Adds what the audio says to what the words say. */
function describe(segments: readonly Segment[], { heard, missing }: Channel, input: Assembly): Segment[] {
  const found = analyseFile(
    heard.map(({ measures }) => measures),
    heard.flatMap(({ transcript }) =>
      sentencesOf(transcript.words).map((sentence) => languagesIn(sentence, transcript.language)),
    ),
    {
      // what nobody could hear is no pause
      speech: [...heard, ...missing].flatMap(({ speech }) => speech.map(spanInSeconds)),
      // a side of a call is one speaker, however their voice changes
      speakers: input.channels === 1 ? input.speakers : 1,
    },
  )
  const tagged = placeTags(segments, found.tags)
  if (!input.speechInformation) return tagged
  return tagged.map((segment) => {
    const information = nearest(found.segments, segment)
    return information ? { ...segment, speech_information: speechInformationOf(information, segment) } : segment
  })
}

function languagesIn(sentence: readonly Word[], heardAs: string): { language: string; words: string[] } {
  const words = languagesOf(sentence, heardAs)
  return { language: languageMixOf(words).language, words: words.map(({ language }) => language) }
}

/** What was measured on the stretch that a segment shares most with: the two may differ where chunks meet. */
function nearest(measured: readonly Measured[], segment: Segment): Measured | undefined {
  let best: Measured | undefined
  let most = Number.NEGATIVE_INFINITY
  for (const one of measured) {
    const shared = Math.min(one.timestamps.end, segment.end) - Math.max(one.timestamps.start, segment.start)
    if (shared <= most) continue
    best = one
    most = shared
  }
  return best
}

function speechInformationOf({ speaker, tone, accent, prosody }: Measured, segment: Segment): SpeechInformation {
  return {
    timestamps: { start: segment.start, end: segment.end },
    speaker_id: segment.channel === undefined ? speaker.speaker : `channel_${segment.channel}`,
    speaker_confidence: rounded(speaker.confidence),
    ...(tone && { tone: tone.tone, tone_confidence: rounded(tone.confidence) }),
    ...(accent && { accent: accent.accent, accent_confidence: rounded(accent.confidence) }),
    loudness_db: rounded(prosody.loudnessDb),
    pitch_hz: prosody.pitchHz === null ? null : rounded(prosody.pitchHz),
    syllables_per_second: rounded(prosody.syllablesPerSecond),
  }
}

/** A tag goes to the segment in which, or after which, it begins; what comes before all words opens the first. */
function placeTags(segments: readonly Segment[], tags: readonly Tag[]): Segment[] {
  const tagsOf = segments.map((): Tag[] => [])
  for (const { type, start, end, confidence } of tags) {
    const index = Math.max(
      0,
      segments.findLastIndex((segment) => segment.start <= start),
    )
    tagsOf[index]?.push({ type, start: rounded(start), end: rounded(end), confidence: rounded(confidence) })
  }
  return segments.map((segment, index) => withTags(segment, tagsOf[index]!))
}

function withTags(segment: Segment, tags: readonly Tag[]): Segment {
  if (tags.length === 0) return segment
  const tagged = { ...segment, tags }
  return { ...tagged, text: segmentText(tagged) }
}

function modelsOf(words: readonly PlacedWord[]): string {
  const counts = new Map<string, number>()
  for (const { model } of words) counts.set(model, (counts.get(model) ?? 0) + 1)
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([model]) => model)
    .join('+')
}
