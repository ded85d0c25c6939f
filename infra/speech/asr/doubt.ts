import type { Transcript } from './recogniser.ts'
import type { Routed } from './task.ts'
import type { Flag } from './whisper/guards.ts'

/** Below this a transcript is asked about again… */
const doubtful = 0.45
/** …and below this it is noise that was taken for words. */
const worthless = 0.2
const speechless = 0.6
/**
 * What halves the trust in a transcript. Not 'unsure': that is its confidence, which would count twice. Not the flags of
 * silence: they come without words, or, from a recogniser that hears pieces, with the words of the other pieces.
 */
const trouble: readonly Flag[] = ['looped', 'capped', 'repetitive', 'foreign-script']
const troubleFlags: ReadonlySet<string> = new Set(trouble)

export function better(one: Routed, other: Routed): Routed {
  return scoreOf(other.transcript) > scoreOf(one.transcript) ? other : one
}

/** No words are as good as the recogniser is sure that nobody speaks: one that does not know the language hears none either. */
function scoreOf({ words, confidence, noSpeech, flags }: Transcript): number {
  if (words.length === 0) return noSpeech
  return flags.some((flag) => troubleFlags.has(flag)) ? confidence / 2 : confidence
}

/** Voice activity took the clip for speech: who hears no word in it, and gives no reason, is doubted like poor words. */
export function isDoubtful(transcript: Transcript): boolean {
  const isExplained = transcript.words.length === 0 && transcript.flags.length > 0
  return !isExplained && scoreOf(transcript) < doubtful
}

/** What nobody could make sense of is said to be so, or, when it is hardly speech at all, left out. */
export function markDoubt(routed: Routed): Routed {
  const { transcript, model } = routed
  const score = scoreOf(transcript)
  if (score >= doubtful || transcript.words.length === 0) return routed
  const isNoise = score < worthless || (transcript.noSpeech > speechless && score < doubtful)
  return {
    model,
    transcript: isNoise
      ? silenced(transcript, 'not speech')
      : { ...transcript, flags: [...transcript.flags, 'doubtful'] },
  }
}

export function silenced(transcript: Transcript, flag: string): Transcript {
  return { ...transcript, text: '', words: [], flags: [...transcript.flags, flag] }
}
