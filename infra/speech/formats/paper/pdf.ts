import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { buffer } from 'node:stream/consumers'

import PdfDocument from 'pdfkit'

import type { Page } from './page.ts'
import { unpackedFont } from './unpacked-font.ts'

type Pdf = PDFKit.PDFDocument

const margin = 56
const quiet = '#666666'
const ink = '#1f1d1a'
const fontFile = (part: string, weight: number): string =>
  createRequire(import.meta.url).resolve(
    `@fontsource/noto-sans-devanagari/files/noto-sans-devanagari-${part}-${weight}-normal.woff`,
  )
const parts = ['devanagari', 'latin', 'latin-ext'] as const
type FontPart = (typeof parts)[number]
/** For all documents of this thread. */
const fonts = parts.flatMap((part) => [
  [part, unpackedFont(readFileSync(fontFile(part, 400)))] as const,
  [`${part}-bold`, unpackedFont(readFileSync(fontFile(part, 700)))] as const,
])

/** Runs of letters that one file of the font has; it comes in three, each with a space: a run for every word takes twice as long. */
const runs =
  /(?<devanagari>[\p{Script=Devanagari}\u0964\u0965\u200C\u200D]+(?: +[\p{Script=Devanagari}\u0964\u0965\u200C\u200D]+)*)|(?<latin>[\0-\u00FF\u2000-\u200B\u200E-\u206F\u20AC]+)|(?<ext>[\p{Script=Latin}\p{Sc}]+)|(?<other>.)/gsu
/** For people who read: the fonts are inside, and Devanagari is shaped. */
export async function inPdf({ title, paragraphs, notes }: Page): Promise<Uint8Array> {
  const pdf = new PdfDocument({ size: 'A4', margin, info: { Title: title, Creator: 'Vaak' } })
  for (const [name, font] of fonts) pdf.registerFont(name, font)
  const bytes = buffer(pdf)
  write(pdf, [{ text: title, isBold: true, size: 18 }])
  pdf.moveDown()
  for (const { time, speaker, text } of paragraphs)
    timed(pdf, time, [...(speaker === undefined ? [] : [{ text: `${speaker}: `, isBold: true }]), { text }])
  if (notes.length > 0) {
    pdf.moveDown()
    write(pdf, [{ text: 'Notes', isBold: true, size: 14 }])
    pdf.moveDown(0.5)
  }
  for (const { time, text } of notes) timed(pdf, time, [{ text }])
  pdf.end()
  return new Uint8Array(await bytes)
}

interface Piece {
  readonly text: string
  readonly isBold?: boolean
  readonly size?: number
  readonly color?: string
}

function timed(pdf: Pdf, time: string, pieces: readonly Piece[]): void {
  write(pdf, [{ text: `${time}   `, size: 9, color: quiet }, ...pieces])
  pdf.moveDown(0.6)
}

/** One paragraph, in as many fonts as its letters need. */
function write(pdf: Pdf, pieces: readonly Piece[]): void {
  const all = pieces.flatMap((piece) => runsOf(piece.text).map((run) => ({ ...piece, ...run })))
  for (const [at, { part, text, isBold, size = 11, color = ink }] of all.entries())
    pdf
      .font(isBold ? `${part}-bold` : part)
      .fontSize(size)
      .fillColor(color)
      .text(text, { continued: at < all.length - 1, lineGap: 3 })
}

function runsOf(text: string): { readonly part: FontPart; readonly text: string }[] {
  return Array.from(text.matchAll(runs), ({ 0: run, groups = {} }) => {
    if (groups['devanagari'] !== undefined) return { part: 'devanagari', text: run }
    if (groups['ext'] !== undefined) return { part: 'latin-ext', text: run }
    return { part: 'latin', text: groups['other'] === undefined ? run : '?' }
  })
}
