import type { Marks } from './config.ts'
import type { Tokenizer } from './tokenizer.ts'

interface Voice {
  readonly marks: Marks
  readonly tokenizer: Tokenizer
  /** Most tokens of hotwords: the window of the decoder is for the answer too. */
  readonly room: number
}

interface PromptOptions {
  readonly language: string
  readonly hotwords: readonly string[]
  readonly times: boolean
}

/**
 * What the decoder reads before it writes. Hotwords stand where the model expects the text before this clip, which
 * makes their spelling likely without forcing it; those that do not fit are left out, the last first.
 */
export function promptOf({ marks, tokenizer, room }: Voice, { language, hotwords, times }: PromptOptions): number[] {
  const languageMark = marks.languages.get(language)
  return [
    ...previousText({ marks, tokenizer, room }, hotwords),
    marks.start,
    ...(languageMark === undefined ? [] : [languageMark, marks.transcribe]),
    ...(times ? [] : [marks.noTimes]),
  ]
}

function previousText({ marks, tokenizer, room }: Voice, hotwords: readonly string[]): number[] {
  if (marks.previous === undefined) return []
  const words: number[] = []
  for (const hotword of hotwords) {
    const text = hotword.trim()
    if (text === '') continue
    const tokens = tokenizer.encode(`${words.length === 0 ? '' : ','} ${text}`)
    if (words.length + tokens.length > room) break
    words.push(...tokens)
  }
  return words.length === 0 ? [] : [marks.previous, ...words]
}
