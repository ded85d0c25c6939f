import type { FileResult } from '../../../actors/transcript/state.ts'
import { piecesOf } from '../transcript/pieces.ts'
import type { TextPiece } from '../transcript/pieces.ts'
import { labelOf } from './label.ts'
import type { LabelOptions } from './label.ts'

/** A piece of text that fits on a screen and stays there long enough to be read. */
export interface Cue {
  readonly start: number
  readonly end: number
  readonly lines: readonly string[]
  /** Who speaks, where that is to be said. */
  readonly label?: string
}

/** As wide as a reader counts: a Devanagari syllable is one, however many code points it takes. Counted once, since that takes long. */
interface MeasuredPiece extends TextPiece {
  readonly width: number
}

/** Pieces that are shown together. */
interface Group {
  readonly pieces: MeasuredPiece[]
  readonly label: string | undefined
}

const lineCharacters = 42
const linesMax = 2
const secondsMax = 7
const secondsMin = 1
/** As fast as most people read without haste. */
const charactersPerSecond = 17
/** A pause after which the next words are a new thought. */
const breakSeconds = 0.8
const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** In order of time. Where channels are kept apart, the cues of two people who speak at once overlap, as they do. */
export function cuesOf({ segments }: Pick<FileResult, 'segments'>, options: LabelOptions = {}): Cue[] {
  const channels = new Set(segments.map(({ channel }) => channel))
  return [...channels]
    .flatMap((channel) =>
      cuesOfOne(
        segments.filter((segment) => segment.channel === channel),
        options,
      ),
    )
    .sort((one, other) => one.start - other.start)
}

function cuesOfOne(segments: FileResult['segments'], options: LabelOptions): Cue[] {
  const groups = withoutFlashes(
    segments.flatMap((segment) => {
      const label = labelOf(segment, options)
      return grouped(piecesOf(segment).flatMap(broken)).map((pieces): Group => ({ pieces, label }))
    }),
  )
  return groups.map(({ pieces, label }, index) => ({
    start: pieces[0]!.start,
    end: stayUntil(pieces, groups[index + 1]?.pieces[0]?.start ?? Infinity),
    lines: wrap(pieces).map(({ text }) => text),
    ...(label !== undefined && { label }),
  }))
}

function grouped(pieces: readonly MeasuredPiece[]): MeasuredPiece[][] {
  const groups: MeasuredPiece[][] = []
  for (const piece of pieces) {
    const group = groups.at(-1)
    const before = group?.at(-1)
    if (!group || !before || !fits([...group, piece]) || piece.start - before.end > breakSeconds) groups.push([piece])
    else group.push(piece)
  }
  return groups
}

/** What would be gone before it is read is shown together with what the same voice says next, if both find room. */
function withoutFlashes(groups: readonly Group[]): Group[] {
  const kept: Group[] = []
  for (const group of groups) {
    const before = kept.at(-1)
    const isFlash = before && before.label === group.label && readUntil(before.pieces) > group.pieces[0]!.start
    if (isFlash && fits([...before.pieces, ...group.pieces])) before.pieces.push(...group.pieces)
    else kept.push(group)
  }
  return kept
}

/** Long enough to be read, but never into the next. */
function stayUntil(group: readonly MeasuredPiece[], next: number): number {
  const spoken = Math.min(endOf(group), group[0]!.start + secondsMax)
  return Math.min(Math.max(spoken, readUntil(group)), Math.max(next, group[0]!.start))
}

function readUntil(group: readonly MeasuredPiece[]): number {
  const seconds = wrap(group).reduce((sum, { width }) => sum + width, 0) / charactersPerSecond
  return group[0]!.start + Math.max(secondsMin, seconds)
}

function fits(pieces: readonly MeasuredPiece[]): boolean {
  return endOf(pieces) - pieces[0]!.start <= secondsMax && wrap(pieces).length <= linesMax
}

function endOf(pieces: readonly TextPiece[]): number {
  return pieces.reduce((latest, { end }) => Math.max(latest, end), 0)
}

function wrap(pieces: readonly MeasuredPiece[]): Pick<MeasuredPiece, 'text' | 'width'>[] {
  const lines: Pick<MeasuredPiece, 'text' | 'width'>[] = []
  for (const { text, width } of pieces) {
    const line = lines.at(-1)
    if (line && line.width + 1 + width <= lineCharacters)
      lines[lines.length - 1] = { text: `${line.text} ${text}`, width: line.width + 1 + width }
    else lines.push({ text, width })
  }
  return lines
}

/** A word that is longer than a line goes over several. */
function broken(piece: TextPiece): MeasuredPiece[] {
  const graphemes = Array.from(segmenter.segment(piece.text), ({ segment }) => segment)
  const parts = Math.ceil(graphemes.length / lineCharacters)
  if (parts <= 1) return [{ ...piece, width: graphemes.length }]
  const seconds = (piece.end - piece.start) / parts
  return Array.from({ length: parts }, (_, part) => {
    const some = graphemes.slice(part * lineCharacters, (part + 1) * lineCharacters)
    const [start, end] = [piece.start + part * seconds, piece.start + (part + 1) * seconds]
    return { text: some.join(''), start, end, width: some.length }
  })
}
