import type { FileResult, Segment, SpokenWord } from '../../../actors/transcript/state.ts'

/** A piece of text that fits on a screen and stays there long enough to be read. */
export interface Cue {
  readonly start: number
  readonly end: number
  readonly lines: readonly string[]
}

const lineCharacters = 42
const linesMax = 2
const secondsMax = 7
const secondsMin = 1
/** A pause after which the next words are a new thought. */
const breakSeconds = 0.8
const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })

export function cuesOf(result: FileResult): Cue[] {
  const cues = result.segments.flatMap(cuesOfSegment)
  return cues.map((cue, index) => ({ ...cue, end: stayUntil(cue, cues[index + 1]) }))
}

/** Short ones stay a little longer, but never into the next. */
function stayUntil(cue: Cue, next: Cue | undefined): number {
  const wanted = Math.max(cue.end, cue.start + secondsMin)
  return next === undefined ? wanted : Math.max(cue.end, Math.min(wanted, next.start))
}

function cuesOfSegment(segment: Segment): Cue[] {
  const groups: SpokenWord[][] = []
  for (const word of segment.words) {
    const group = groups.at(-1)
    const before = group?.at(-1)
    if (!group || !before || !fits([...group, word]) || word.start - before.end > breakSeconds) groups.push([word])
    else group.push(word)
  }
  return groups.map((group) => ({
    start: group[0]!.start,
    end: group.at(-1)!.end,
    lines: wrap(group.map(({ word }) => word)),
  }))
}

function fits(words: readonly SpokenWord[]): boolean {
  if (words.length === 1) return true
  const seconds = words.at(-1)!.end - words[0]!.start
  return seconds <= secondsMax && wrap(words.map(({ word }) => word)).length <= linesMax
}

function wrap(words: readonly string[]): string[] {
  const lines: string[] = []
  for (const word of words) {
    const line = lines.at(-1)
    if (line !== undefined && widthOf(`${line} ${word}`) <= lineCharacters) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

/** What a reader counts: a Devanagari syllable is one, however many code points it takes. */
function widthOf(text: string): number {
  return [...segmenter.segment(text)].length
}
