import { Document, HeadingLevel, Packer, Paragraph, TextRun } from 'docx'

import type { Page } from './page.ts'

/** Of the machine on which it is read: Word has one font for Latin letters and one for those of India. */
const font = { ascii: 'Calibri', hAnsi: 'Calibri', cs: 'Nirmala UI' }
const language = { value: 'en-IN', bidirectional: 'hi-IN' }
const afterParagraph = { after: 160 }
const quiet = '666666'

/** For people who go on writing. */
export async function inDocx({ title, paragraphs, notes }: Page): Promise<Uint8Array> {
  const document = new Document({
    title,
    creator: 'Vaak',
    styles: { default: { document: { run: { font, language, size: 22 } } } },
    sections: [
      {
        children: [
          new Paragraph({ heading: HeadingLevel.HEADING_1, children: [new TextRun(title)] }),
          ...paragraphs.map(({ time, speaker, text }) => timed(time, { speaker, text })),
          ...(notes.length === 0 ? [] : [new Paragraph({ heading: HeadingLevel.HEADING_2, text: 'Notes' })]),
          ...notes.map(({ time, text }) => timed(time, { text })),
        ],
      },
    ],
  })
  return new Uint8Array(await Packer.toArrayBuffer(document))
}

function timed(time: string, { speaker, text }: { speaker?: string | undefined; text: string }): Paragraph {
  return new Paragraph({
    spacing: afterParagraph,
    children: [
      new TextRun({ text: `${time}  `, color: quiet, size: 18 }),
      ...(speaker === undefined ? [] : [new TextRun({ text: `${speaker}: `, bold: true })]),
      new TextRun(text),
    ],
  })
}
