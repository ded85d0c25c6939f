import type { PaperRequest } from '../../../../actors/transcript/ports.ts'
import { labelOf } from '../label.ts'
import { paragraphsOf } from '../paragraphs.ts'

/** A transcript as it stands on paper. */
export interface Page {
  readonly title: string
  readonly paragraphs: readonly PageParagraph[]
  readonly notes: readonly { readonly time: string; readonly text: string }[]
}

interface PageParagraph {
  readonly time: string
  readonly speaker?: string
  readonly text: string
}

/** No form of paper has a place for these. */
const unwritable = /[\p{Cc}\p{Cs}]+/gu

export function pageOf({ title, result, notes, speakers }: Omit<PaperRequest, 'format'>): Page {
  const paragraphs = paragraphsOf(result.segments).map((paragraph): PageParagraph => {
    const speaker = labelOf(paragraph[0]!, { speakers })
    return {
      time: clock(paragraph[0]!.start),
      ...(speaker !== undefined && { speaker: plain(speaker) }),
      text: plain(paragraph.map(({ text }) => text).join(' ')),
    }
  })
  return {
    title: plain(title),
    paragraphs: paragraphs.filter(({ text }) => text !== ''),
    notes: notes.map(({ at, text }) => ({ time: clock(at), text: plain(text) })),
  }
}

function plain(text: string): string {
  return text.replaceAll(unwritable, ' ').trim()
}

function clock(seconds: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  return `${two(seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}`
}
