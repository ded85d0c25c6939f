import type { FileResult, Segment, TextFormat } from '../../../actors/transcript/state.ts'
import { labelOf } from './label.ts'
import type { LabelOptions } from './label.ts'
import { paragraphsOf } from './paragraphs.ts'
import { cuesOf } from './subtitles.ts'
import type { Cue } from './subtitles.ts'

export const renderedFormats = ['text', 'json', 'ndjson', 'srt', 'vtt'] as const
export type RenderedFormat = (typeof renderedFormats)[number]

/** One recording in the format that was asked for. `name` is only shown, in the formats that have a place for it. */
export function render(result: FileResult, format: RenderedFormat, name: string): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify({ filename: name, ...result }, null, 2)}\n`
    case 'ndjson':
      return `${oneLine({ filename: name, ...result })}\n`
    case 'text':
    case 'srt':
    case 'vtt':
      return renderText(result, format)
  }
}

/** For people to read. */
export function renderText(result: FileResult, format: TextFormat, options: LabelOptions = {}): string {
  switch (format) {
    case 'text':
      return paragraphsOf(result.segments)
        .map((paragraph) => paragraphText(paragraph, options))
        .join('\n')
    case 'srt':
    case 'vtt':
      return renderCues(cuesOf(result, options), format)
  }
}

/** Lines as somebody wrote them, each a cue. */
export function renderLines(lines: readonly Pick<Segment, 'start' | 'end' | 'text'>[], format: 'srt' | 'vtt'): string {
  const cues = lines.map(({ start, end, text }): Cue => ({ start, end, lines: [text] }))
  return renderCues(cues, format)
}

function renderCues(cues: readonly Cue[], format: 'srt' | 'vtt'): string {
  return format === 'srt' ? cues.map(srtCue).join('\n') : ['WEBVTT\n', ...cues.map(vttCue)].join('\n')
}

function paragraphText(paragraph: readonly Segment[], options: LabelOptions): string {
  return `${before(labelOf(paragraph[0]!, options))}${paragraph.map(({ text }) => text).join(' ')}\n`
}

/** U+2028 and U+2029 end a line for some readers; JSON may spell them out. */
function oneLine(value: unknown): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

function srtCue(cue: Cue, index: number): string {
  // SubRip has no way to write a bracket that does not open a tag
  const lines = cue.lines.map((line) => harmless(line).replaceAll('<', '‹'))
  const label = cue.label && harmless(cue.label).replaceAll('<', '‹')
  return `${index + 1}\n${clock(cue.start, ',')} --> ${clock(cue.end, ',')}\n${before(label)}${lines.join('\n')}\n`
}

function vttCue(cue: Cue): string {
  const lines = cue.lines.map((line) => escaped(harmless(line)))
  // a name with a bracket would end the tag that it stands in
  const voice = cue.label === undefined ? '' : harmless(`<v ${escaped(cue.label).replaceAll('>', '&gt;')}>`)
  return `${clock(cue.start, '.')} --> ${clock(cue.end, '.')}\n${voice}${lines.join('\n')}\n`
}

function before(label: string | undefined): string {
  return label === undefined ? '' : `${label}: `
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** The arrow would start a new cue in the middle of a text. */
function harmless(line: string): string {
  return line.replace(/-{2,}>/g, '->')
}

function clock(seconds: number, point: ',' | '.'): string {
  const ms = Math.round(seconds * 1000)
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  const [hours, minutes, rest] = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60]
  return `${two(hours)}:${two(minutes)}:${two(rest)}${point}${String(ms % 1000).padStart(3, '0')}`
}
