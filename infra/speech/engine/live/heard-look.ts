import type { Transcript } from '../../asr/recogniser.ts'
import type { OpenWord } from './certain-words.ts'

/** What was heard of the end of a turn when it was last transcribed. */
export interface HeardLook {
  readonly words: readonly OpenWord[]
  readonly language: string
  /** Of samples, since the turn's beginning. */
  readonly to: number
  /** As if nobody had understood anything: there was more to come. */
  readonly isUnfinished: boolean
  /** As if nobody had made sense of it: what follows may. */
  readonly isDoubtful: boolean
}

/** `words`: those of the transcript that are not certain. */
export function heardIn({ language, flags }: Transcript, words: readonly OpenWord[], to: number): HeardLook {
  return { words, language, to, isUnfinished: flags.includes('unfinished'), isDoubtful: flags.includes('doubtful') }
}

/** Without the first of its words, which are certain by now. */
export function withoutFirst(look: HeardLook, certain: number): HeardLook {
  return { ...look, words: look.words.slice(certain) }
}
