import type { WritingWish } from '../../../actors/ports.ts'
import type { FileResult, Script, Segment, StoredTranscript } from '../../../actors/transcript/state.ts'
import { textOf } from '../pieces.ts'
import { renderWords } from '../text/transliterate.ts'

/** A transcript in the script that is asked for now, made from the words as they were heard; nothing is heard again. */
export function rewrite(transcript: Omit<StoredTranscript, 'chunks'>, { script, tags }: WritingWish): FileResult {
  const { result, spoken } = transcript
  const isOther = script !== undefined && script !== result.script
  if (!isOther && tags) return result
  const segments = result.segments.map((segment, at) => {
    const written = isOther ? inScript(segment, script, spoken?.[at]) : segment
    return withText(tags ? written : { ...written, tags: [] })
  })
  return {
    ...result,
    text: segments.map(({ text }) => text).join(' '),
    segments,
    ...(isOther && { script }),
  }
}

/** Without the words as they were heard, those that were written down have to do. */
function inScript(segment: Segment, script: Script, spoken: readonly string[] | undefined): Segment {
  const heard = segment.words.map(({ word, language }, at) => ({ word: spoken?.[at] ?? word, language }))
  const written = renderWords(heard, script)
  return { ...segment, words: segment.words.map((word, at) => ({ ...word, word: written[at]! })) }
}

/** A segment without words keeps what it says. */
function withText(segment: Segment): Segment {
  return segment.words.length === 0 ? segment : { ...segment, text: textOf(segment) }
}
