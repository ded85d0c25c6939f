/** Letters that one file of the font has, and that are drawn at once. */
interface Run {
  readonly font: FontName
  readonly text: string
  /** At a size of one point, as every width here. */
  readonly width: number
}

/** What stays together on one line. */
export interface PaperWord {
  readonly runs: readonly Run[]
  readonly width: number
  /** Whether there is a space before it. */
  readonly isApart: boolean
}

export const fontParts = ['devanagari', 'latin', 'latin-ext'] as const
type FontPart = (typeof fontParts)[number]
export type FontName = FontPart | `${FontPart}-bold`

interface Lettering {
  readonly wordsOf: (text: string, style: { readonly isBold: boolean }) => PaperWord[]
}

/** The font comes in three files. */
const runs =
  /(?<devanagari>[\p{Script=Devanagari}\u0964\u0965\u200C\u200D]+)|(?<latin>[\0-\u00FF\u2000-\u200B\u200E-\u206F\u20AC]+)|(?<ext>[\p{Script=Latin}\p{Sc}]+)|(?<other>.)/gsu
const spaces = / +/
/** A line may end after these. */
const joints = /(?<=[-\u2013\u2014/])(?=[^-\u2013\u2014/])/u
const letters = new Intl.Segmenter('hi', { granularity: 'grapheme' })

/** Shapes and measures each word once, however often it was said: in hours of speech the same few thousand come again and again. */
export function openLettering(options: {
  readonly measure: (font: FontName, text: string) => number
  /** A word that is wider may be broken anywhere. */
  readonly widest: number
}): Lettering {
  const known = { plain: new Map<string, PaperWord[]>(), bold: new Map<string, PaperWord[]>() }

  function wordOf(text: string, isBold: boolean): PaperWord {
    const measured = runsOf(text).map(({ part, text: run }): Run => {
      const font: FontName = isBold ? `${part}-bold` : part
      return { font, text: run, width: options.measure(font, run) }
    })
    return { runs: measured, width: measured.reduce((sum, { width }) => sum + width, 0), isApart: false }
  }

  function spelt(text: string, isBold: boolean): PaperWord[] {
    const words = text.split(joints).flatMap((part) => {
      const word = wordOf(part, isBold)
      if (word.width <= options.widest) return [word]
      return Array.from(letters.segment(part), ({ segment }) => wordOf(segment, isBold))
    })
    return words.map((word, at) => ({ ...word, isApart: at === 0 }))
  }

  return {
    wordsOf(text, { isBold }) {
      const before = isBold ? known.bold : known.plain
      return text.split(spaces).flatMap((chunk) => {
        if (chunk === '') return []
        let words = before.get(chunk)
        if (!words) before.set(chunk, (words = spelt(chunk, isBold)))
        return words
      })
    },
  }
}

function runsOf(text: string): { readonly part: FontPart; readonly text: string }[] {
  return Array.from(text.matchAll(runs), ({ 0: run, groups = {} }) => {
    if (groups['devanagari'] !== undefined) return { part: 'devanagari', text: run }
    if (groups['ext'] !== undefined) return { part: 'latin-ext', text: run }
    return { part: 'latin', text: groups['other'] === undefined ? run : '?' }
  })
}
