import { tokenOf } from '../../text/numerals/tokens.ts'

/** What somebody who pauses has said, and how. */
interface PauseEvidence {
  /** Bare words, in the order in which they were said. */
  readonly words: readonly string[]
  /** How likely the punctuation model ends a sentence here, 0 to 1. */
  readonly end: number
  /** By how many semitones the voice ended above its middle, where that can be told. */
  readonly pitch: number | undefined
}

/** Chosen on real clips that were cut before every word: `npm run bench -- turns` shows what comes of them. */
const weights = { base: -0.6, end: 0.5, semitone: -0.5, open: -1.08 }
/** A voice that falls further says no more; one that rises further may ask something. */
const semitones = { lowest: -3, highest: 2 }
/** Who has rather finished than not is answered soon, and who has rather not is waited for: nothing in between helps either. */
const sharpness = 6
const surest = 0.999

/** How likely somebody who pauses has finished, 0 to 1. Pure: live-turn.ts has the words. */
export function finishedChance({ words, end, pitch = 0 }: PauseEvidence): number {
  const { base, end: endWeight, semitone, open } = weights
  const fallen = Math.max(semitones.lowest, Math.min(semitones.highest, pitch))
  const evidence = base + endWeight * logOdds(end) + semitone * fallen + (isOpen(words) ? open : 0)
  return 1 / (1 + Math.exp(-sharpness * evidence))
}

function logOdds(chance: number): number {
  const bounded = Math.min(surest, Math.max(1 - surest, chance))
  return Math.log(bounded / (1 - bounded))
}

function isOpen(words: readonly string[]): boolean {
  const last = words.at(-1)?.toLowerCase()
  return last === undefined || openWords.has(last) || isDictated(words)
}

/** Conjunctions, postpositions, articles and fillers: something follows, or is being looked for. */
const openWords = new Set(
  `और या कि क्योंकि लेकिन मगर पर अगर जब जो जिस जिसे जिसने जिसका ताकि बल्कि इसलिए फिर तो यानी मतलब वो अपने अपनी अपना
  का की के को ने से में तक मेरा मेरी मेरे तेरा तेरी हमारा हमारी आपका आपकी आपके उसका उसकी उसके उनका उनकी उनके इस उस एक बहुत सबसे
  अ अं अम उम उम्म हम्म आ ए
  and or but because so if when while that which who than as though unless until the a an my your his her our their its this these
  to of in on at for with from by about into is are was were am be been have has had will would can could should i we they
  um uh er erm hmm like well not very more most some any every`.split(/\s+/u),
)

/** Two numbers in a row are the beginning of a longer one that is told digit by digit. */
function isDictated(words: readonly string[]): boolean {
  const last = words.slice(-2)
  return last.length === 2 && last.every((word) => tokenOf(word)?.kind === 'number')
}
