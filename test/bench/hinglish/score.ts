import type { FileResult, SpokenWord } from '../../../actors/transcript/state.ts'
import type { Seconds } from '../../../infra/speech/analysis/prosody.ts'
import { editDistance } from '../../../infra/speech/text/edit-distance.ts'
import { errorRates, normalisedForScoring } from '../../../infra/speech/text/error-rate.ts'
import { wordlessSpeech } from '../../../infra/speech/transcript/coverage.ts'
import type { ClipMixture, MixturePart } from './mixtures.ts'

/** What a mixture came out as, in counts that add up over mixtures. */
interface Score {
  /** English words that were said; said, heard and written in Latin letters. */
  readonly englishSaid: number
  readonly englishRight: number
  readonly hindi: { readonly said: string; readonly heard: string }[]
  readonly switches: number
  readonly switchesFound: number
  readonly switchesInvented: number
  /** Seconds of speech that are in no word, and how many of them the result says so of. */
  readonly wordlessSeconds: number
  readonly toldSeconds: number
}

const switchWithinSeconds = 0.5

/** `speech` is where voice activity finds some, in seconds. */
export function scoreOf({ parts }: ClipMixture, result: FileResult, speech: readonly Seconds[]): Score {
  const words = result.segments.flatMap((segment) => segment.words)
  const heardIn = (part: MixturePart): SpokenWord[] => words.filter((word) => partOf(parts, word) === part)
  const english = parts.filter(({ language }) => language === 'en')
  const hindi = parts.filter(({ language }) => language === 'hi')
  const changes = words.flatMap((word, at) => {
    const before = words[at - 1]
    return before && before.language !== word.language ? [{ start: before.end, end: word.start }] : []
  })
  const found = parts
    .slice(1)
    .filter((part, at) =>
      changes.some((change) => apart(change, { start: parts[at]!.end, end: part.start }) <= switchWithinSeconds),
    ).length
  return {
    englishSaid: english.reduce((sum, { clip }) => sum + wordsIn(clip.text).length, 0),
    englishRight: english.reduce((sum, part) => sum + rightWords(part, heardIn(part)), 0),
    hindi: hindi.map((part) => ({ said: part.clip.text, heard: textOf(heardIn(part)) })),
    switches: parts.length - 1,
    switchesFound: found,
    switchesInvented: Math.max(0, changes.length - found),
    wordlessSeconds: lengthOf(wordlessSpeech(speech, words)),
    toldSeconds: lengthOf(result.gaps ?? []),
  }
}

/** The part that a word was said in: the one whose time it shares most with. */
function partOf(parts: readonly MixturePart[], { start, end }: SpokenWord): MixturePart {
  const middle = (start + end) / 2
  return parts.reduce((best, part) => (distance(part, middle) < distance(best, middle) ? part : best))
}

function distance({ start, end }: MixturePart, at: number): number {
  return Math.max(start - at, at - end, 0)
}

function apart(one: { start: number; end: number }, other: { start: number; end: number }): number {
  return Math.max(other.start - one.end, one.start - other.end, 0)
}

/** Said words less the least edits: a word in the wrong script is one edit. */
function rightWords({ clip }: MixturePart, heard: readonly SpokenWord[]): number {
  const said = wordsIn(clip.text)
  return Math.max(0, said.length - editDistance(said, wordsIn(textOf(heard))))
}

function wordsIn(text: string): string[] {
  return normalisedForScoring(text).split(' ').filter(Boolean)
}

function textOf(words: readonly SpokenWord[]): string {
  return words.map(({ word }) => word).join(' ')
}

function lengthOf(spans: readonly Seconds[]): number {
  return spans.reduce((sum, { start, end }) => sum + end - start, 0)
}

export function scoreSummary(scores: readonly Score[]): Readonly<Record<string, string>> {
  const sum = (input: (score: Score) => number): number => scores.reduce((total, score) => total + input(score), 0)
  const rates = errorRates(scores.flatMap(({ hindi }) => hindi))
  return {
    'English words right %': ((100 * sum((score) => score.englishRight)) / sum((score) => score.englishSaid)).toFixed(
      1,
    ),
    'English words': String(sum((score) => score.englishSaid)),
    'Hindi CER %': (100 * rates.characterErrorRate).toFixed(1),
    'Hindi WER %': (100 * rates.wordErrorRate).toFixed(1),
    'switches found': `${sum((score) => score.switchesFound)} of ${sum((score) => score.switches)}`,
    'switches invented': String(sum((score) => score.switchesInvented)),
    's of speech without words': sum((score) => score.wordlessSeconds).toFixed(1),
    's in gaps': sum((score) => score.toldSeconds).toFixed(1),
  }
}
