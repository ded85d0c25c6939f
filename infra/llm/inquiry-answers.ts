import { z } from 'zod'

import { inquiryLimits } from '../../actors/inquiry/state.ts'
import type { Chapter, Passage } from '../../actors/inquiry/state.ts'
import type { TranscriptLine } from '../../actors/inquiry/ports.ts'

/** What a chat model may answer, and what is made of it. Whatever it says of times comes from lines that there are. */

const { chapters: chaptersMax, titleCharacters, textCharacters, sources: sourcesMax } = inquiryLimits

/** Controls but for line breaks, and what turns the direction of the text after it. Joiners stay: Hindi is written with them. */
const notForReading = /(?!\n)[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu

function plainText(characters: number) {
  return z
    .string()
    .transform((text) =>
      text
        .replaceAll(/[^\S\n]+/gu, ' ')
        .replaceAll(notForReading, '')
        .trim(),
    )
    .pipe(z.string().max(characters))
}

function knownLine(known: ReadonlySet<number>) {
  return z.int().refine((line) => known.has(line), 'there is no such line')
}

export const summaryForm = z.object({ summary: plainText(textCharacters).pipe(z.string().min(1)) })

/** One that begins at a line that there is not is no answer. */
export function chaptersForm(known: ReadonlySet<number>) {
  const chapter = z.object({ line: knownLine(known), title: plainText(titleCharacters).pipe(z.string().min(1)) })
  return z.object({ chapters: z.array(chapter).min(1).max(chaptersMax) })
}

/** Every line once: what is left out, or made up, is no translation. */
export function translationForm(known: ReadonlySet<number>) {
  const translated = z.object({ line: knownLine(known), text: plainText(textCharacters) })
  return z.object({
    translations: z
      .array(translated)
      .length(known.size)
      .refine((all) => new Set(all.map(({ line }) => line)).size === known.size, 'a line is there twice'),
  })
}

export interface FoundAnswer {
  readonly answered: boolean
  readonly answer: string
  readonly lines: readonly number[]
}

export function answerForm(known: ReadonlySet<number>): z.ZodType<FoundAnswer> {
  return z
    .object({
      answered: z.boolean(),
      answer: plainText(textCharacters),
      lines: z.array(knownLine(known)).max(known.size).default([]),
    })
    .refine(({ answered, answer }) => !answered || answer !== '', 'an answer says something')
}

/** Each begins with its line and ends where the next begins; the first has all that is before it. */
export function chaptersOf(
  begun: readonly { readonly line: number; readonly title: string }[],
  lines: readonly TranscriptLine[],
): Chapter[] {
  const inOrder = [...new Map(begun.map((one) => [one.line, one])).values()]
    .sort((one, other) => one.line - other.line)
    .slice(0, chaptersMax)
  const startOf = (at: number): number => lines[at === 0 ? 0 : inOrder[at]!.line - 1]!.start
  const last = lines.at(-1)!
  return inOrder.map(({ title }, at) => ({
    start: startOf(at),
    end: at + 1 < inOrder.length ? startOf(at + 1) : last.end,
    title,
  }))
}

/** Where an answer was found, in order of time. */
export function passagesOfLines(numbers: readonly number[], lines: readonly TranscriptLine[]): Passage[] {
  return [...new Set(numbers)]
    .sort((one, other) => one - other)
    .slice(0, sourcesMax)
    .flatMap((number) => lines[number - 1] ?? [])
    .map(({ start, end }) => ({ start, end }))
}
