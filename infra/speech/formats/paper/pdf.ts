import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { buffer } from 'node:stream/consumers'

import PdfDocument from 'pdfkit'

import { linesOf } from './lines.ts'
import type { Page } from './page.ts'
import { shapedFont } from './shaped-font.ts'
import { unpackedFont } from './unpacked-font.ts'
import { fontParts, openLettering } from './words.ts'
import type { FontName, PaperWord } from './words.ts'

type Pdf = PDFKit.PDFDocument

const margin = 56
const quiet = '#666666'
const ink = '#1f1d1a'
const sizes = { title: 18, heading: 14, text: 11, time: 9 } as const
const lineGap = 3
const afterParagraph = 10
/** How far its letters reach above the line, at a size of one point. */
const ascent = 0.896
const onBaseline = { lineBreak: false, baseline: 'alphabetic' } as const
const openFont = (part: string, weight: number): PDFKit.Mixins.PDFFontSource => {
  const name = `@fontsource/noto-sans-devanagari/files/noto-sans-devanagari-${part}-${weight}-normal.woff`
  return shapedFont(unpackedFont(readFileSync(createRequire(import.meta.url).resolve(name))))
}
/** For all documents of this thread. */
const fonts = fontParts.flatMap((part) => [
  [part, openFont(part, 400)] as const,
  [`${part}-bold`, openFont(part, 700)] as const,
])

/** For people who read: the fonts are inside, and Devanagari is shaped. */
export async function inPdf({ title, paragraphs, notes }: Page): Promise<Uint8Array> {
  const pdf = new PdfDocument({ size: 'A4', margin, info: { Title: title, Creator: 'Vaak' } })
  for (const [name, font] of fonts) pdf.registerFont(name, font)
  const bytes = buffer(pdf)
  const pen = openPen(pdf)
  pen.headed(title, sizes.title)
  for (const { time, speaker, text } of paragraphs)
    pen.timed(time, [
      ...(speaker === undefined ? [] : pen.wordsOf(`${speaker}:`, { isBold: true })),
      ...pen.wordsOf(text, { isBold: false }),
    ])
  if (notes.length > 0) pen.headed('Notes', sizes.heading)
  for (const { time, text } of notes) pen.timed(time, pen.wordsOf(text, { isBold: false }))
  pdf.end()
  return new Uint8Array(await bytes)
}

/**
 * Writes from the top of the first page to the end of the last. The library can break lines itself, but looks at each word of each run
 * anew, and would begin a line with a comma that is of another font than the word before it.
 */
function openPen(pdf: Pdf) {
  const width = pdf.page.width - 2 * margin
  const set = openSetting(pdf)
  const measure = (font: FontName, text: string): number => {
    set({ font, size: 1 })
    return pdf.widthOfString(text)
  }
  const { wordsOf } = openLettering({ measure, widest: width / sizes.title })
  const space = measure('latin', ' ')
  const timeWidth = measure('latin', '00:00:00   ') * sizes.time
  let top = margin

  /** Where letters stand on the next line. */
  function nextBaseline(size: number): number {
    set({ font: 'latin', size })
    const height = pdf.currentLineHeight(true) + lineGap
    if (top + height > pdf.page.height - margin) {
      pdf.addPage()
      set({ color: undefined }) // a page begins in black
      top = margin
    }
    top += height
    return top - height + size * ascent
  }

  function write(
    words: readonly PaperWord[],
    { size, indent, first }: { size: number; indent: number; first: number },
  ): void {
    const lines = linesOf(words, { width: width / size, indent: indent / size, space })
    for (const [at, line] of lines.entries()) {
      const baseline = at === 0 ? first : nextBaseline(size)
      for (const { font, text, x } of line) {
        set({ font, size, color: ink })
        pdf.text(text, margin + x * size, baseline, onBaseline)
      }
    }
  }

  return {
    wordsOf,
    headed(text: string, size: number): void {
      write(wordsOf(text, { isBold: true }), { size, indent: 0, first: nextBaseline(size) })
      top += afterParagraph
    },
    timed(time: string, words: readonly PaperWord[]): void {
      const first = nextBaseline(sizes.text)
      set({ font: 'latin', size: sizes.time, color: quiet })
      pdf.text(time, margin, first, onBaseline)
      write(words, { size: sizes.text, indent: timeWidth, first })
      top += afterParagraph
    },
  }
}

interface Setting {
  readonly font: FontName
  readonly size: number
  readonly color: string | undefined
}

/** Tells the library only what has changed: each colour is a line in the document. */
function openSetting(pdf: Pdf) {
  let now: Partial<Setting> = {}
  return (next: Partial<Setting>): void => {
    if (next.font !== undefined && next.font !== now.font) pdf.font(next.font)
    if (next.size !== undefined && next.size !== now.size) pdf.fontSize(next.size)
    if (next.color !== undefined && next.color !== now.color) pdf.fillColor(next.color)
    now = { ...now, ...next }
  }
}
