import { accentOf } from './accent.ts'
import type { Accent } from './accent.ts'
import type { ChunkMeasures } from './measure.ts'
import { pauseTags } from './pauses.ts'
import type { ProsodySummary, Seconds } from './prosody.ts'
import { shoutingTags } from './shouting.ts'
import { speakersOf } from './speakers.ts'
import type { SpeakerGuess } from './speakers.ts'
import type { Tag } from '../../../actors/transcript/state.ts'
import { tonesOf } from './tone.ts'
import type { Tone } from './tone.ts'

/** What is said about a segment when `speech_information` is asked for; a guess that would say nothing is left out. */
export interface SegmentInformation {
  readonly timestamps: Seconds
  readonly speaker: SpeakerGuess
  readonly tone: Tone | undefined
  readonly accent: Accent | undefined
  readonly prosody: ProsodySummary
}

export interface FileAnalysis {
  /** One for each segment of all chunks, in their order. */
  readonly segments: readonly SegmentInformation[]
  readonly tags: readonly Tag[]
}

/** Languages of each segment's words, in the same order as the segments of the chunks. */
interface SegmentLanguages {
  readonly language: string
  readonly words: readonly string[]
}

/** What else is known of the file. */
interface RecordingFacts {
  /** What voice activity found. */
  readonly speech: readonly Seconds[]
  /** How many people speak, where somebody knows. */
  readonly speakers?: number | undefined
}

/** Everything that needs the whole file: who is who, and what is unusual for whom. */
export function analyseFile(
  chunks: readonly ChunkMeasures[],
  languages: readonly SegmentLanguages[],
  facts: RecordingFacts,
): FileAnalysis {
  const segments = chunks.flatMap((chunk) => chunk.segments)
  const speakers = speakersOf(
    segments.map(({ voice }) => voice),
    facts.speakers,
  )
  const tones = tonesBySpeaker(
    segments.map(({ summary }) => summary),
    speakers,
  )
  const spoken = languagesBySpeaker(languages, speakers)
  const shouts = shoutingTags(segments.map(({ windows }, at) => ({ windows, speaker: speakers[at]!.speaker })))
  const spans = segments.map(({ start, end }, at) => ({ start, end, speaker: speakers[at]!.speaker }))
  const laughs = chunks.flatMap(({ laughing }) => laughing)
  return {
    segments: segments.map(({ start, end, summary }, at) => ({
      timestamps: { start, end },
      speaker: speakers[at]!,
      tone: tones[at],
      accent: accentOf(languages[at]?.language ?? 'und', spoken.get(speakers[at]!.speaker) ?? []),
      prosody: summary,
    })),
    tags: [...pauseTags(facts.speech, spans), ...shouts, ...laughs].sort((a, b) => a.start - b.start),
  }
}

function tonesBySpeaker(summaries: readonly ProsodySummary[], speakers: readonly SpeakerGuess[]): (Tone | undefined)[] {
  const tones: (Tone | undefined)[] = []
  for (const name of new Set(speakers.map(({ speaker }) => speaker))) {
    const own = summaries.flatMap((_, at) => (speakers[at]!.speaker === name ? [at] : []))
    tonesOf(own.map((at) => summaries[at]!)).forEach((tone, index) => (tones[own[index]!] = tone))
  }
  return tones
}

function languagesBySpeaker(
  languages: readonly SegmentLanguages[],
  speakers: readonly SpeakerGuess[],
): Map<string, { code: string; share: number }[]> {
  const counts = new Map<string, Map<string, number>>()
  languages.forEach(({ words }, at) => {
    const own = counts.get(speakers[at]?.speaker ?? '') ?? new Map<string, number>()
    for (const code of words) own.set(code, (own.get(code) ?? 0) + 1)
    counts.set(speakers[at]?.speaker ?? '', own)
  })
  return new Map(
    Array.from(counts, ([speaker, own]) => {
      const total = Array.from(own.values()).reduce((sum, count) => sum + count, 0)
      return [speaker, Array.from(own, ([code, count]) => ({ code, share: count / total }))]
    }),
  )
}
