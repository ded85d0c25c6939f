import type { SessionTurn } from '../../actors/session-recording/ports.ts'
import type { Segment, SpokenWord } from '../../actors/transcript/state.ts'

/** Turn detection and the recogniser differ by so much on where a word lies. */
const toleranceSeconds = 0.3

const channelOf = { user: 0, assistant: 1 } as const

/** What the transcript has in the place of a turn: the words of its channel whose middle lies there. */
export function textOfTurn(
  { role, start, end }: Pick<SessionTurn, 'role' | 'start' | 'end'>,
  segments: readonly Segment[],
): string {
  const lies = (word: SpokenWord): boolean => {
    const middle = (word.start + word.end) / 2
    return middle >= start - toleranceSeconds && middle <= end + toleranceSeconds
  }
  return segments
    .filter(({ channel = 0 }) => channel === channelOf[role])
    .flatMap(({ words }) => words.filter(lies))
    .map(({ word, punctuated_word: written }) => written ?? word)
    .join(' ')
}
