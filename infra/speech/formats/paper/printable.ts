import type { Page } from './page.ts'

/** Letters that none of the fonts of a PDF has. */
const foreign = /(?![\p{Script=Devanagari}\p{Script=Latin}\p{Script=Common}])\p{L}/u

/** Known without the library that makes a PDF: it takes half a second to load. */
export function canBePrinted({ title, paragraphs, notes }: Page): boolean {
  const texts = [
    title,
    ...paragraphs.flatMap(({ speaker = '', text }) => [speaker, text]),
    ...notes.map(({ text }) => text),
  ]
  return !texts.some((text) => foreign.test(text))
}
