import { compressionRatio } from './compression.ts'
import type { WhisperDecoded } from './decode.ts'
import { isStockPhrase } from './stock-phrases.ts'

/** What a decode may look like before it is doubted. Each can be switched off by its extreme. */
export interface Guards {
  /** Tried in order until one decode passes; the first is the plain one. */
  readonly temperatures: readonly number[]
  readonly mostCompression: number
  readonly leastLogProb: number
  /** Above this probability of no speech, a decode that is also unsure is taken for silence. */
  readonly mostNoSpeech: number
  readonly stopLoops: boolean
  readonly capTokens: boolean
  readonly guardScript: boolean
  /** Root mean square below which a clip is not decoded at all. */
  readonly leastLevel: number
  readonly dropStockPhrases: boolean
}

export const guardsOn: Guards = {
  temperatures: [0, 0.2, 0.4, 0.6],
  mostCompression: 2.4,
  leastLogProb: -1,
  mostNoSpeech: 0.6,
  stopLoops: true,
  capTokens: true,
  guardScript: true,
  leastLevel: 0.0005,
  dropStockPhrases: true,
}

/** Plain greedy decoding, for comparison with other implementations. */
export const guardsOff: Guards = {
  temperatures: [0],
  mostCompression: Infinity,
  leastLogProb: -Infinity,
  mostNoSpeech: 1,
  stopLoops: false,
  capTokens: false,
  guardScript: false,
  leastLevel: 0,
  dropStockPhrases: false,
}

export type Flag =
  | 'silent' // too quiet to decode
  | 'no-speech' // the model itself doubts that anybody speaks
  | 'stock-phrase' // what models write when nobody speaks
  | 'looped' // a phrase was repeated; the repetitions are cut
  | 'capped' // more tokens than so much speech can hold
  | 'repetitive' // compresses like a loop
  | 'unsure' // the mean log-probability is low
  | 'foreign-script' // letters that the language does not use

interface Judgement {
  readonly verdict: 'pass' | 'silence' | 'again'
  readonly flags: readonly Flag[]
}

export interface DecodingEvidence extends Pick<WhisperDecoded, 'ended' | 'noSpeech'> {
  readonly text: string
  readonly logProb: number
  readonly foreign: boolean
}

export function judge(evidence: DecodingEvidence, guards: Guards): Judgement {
  const { text, logProb, noSpeech, ended, foreign } = evidence
  const unsure = logProb < guards.leastLogProb
  if (noSpeech > guards.mostNoSpeech && unsure) return { verdict: 'silence', flags: ['no-speech'] }
  if (guards.dropStockPhrases && isStockPhrase(text) && (noSpeech > stockNoSpeech || unsure))
    return { verdict: 'silence', flags: ['stock-phrase'] }
  const flags: Flag[] = []
  if (ended === 'loop') flags.push('looped')
  if (ended === 'cap' && guards.capTokens) flags.push('capped')
  if (compressionRatio(text) > guards.mostCompression) flags.push('repetitive')
  if (unsure) flags.push('unsure')
  if (foreign && guards.guardScript) flags.push('foreign-script')
  return { verdict: flags.length === 0 ? 'pass' : 'again', flags }
}

/** People do say "thank you": the phrase alone is dropped only with this much doubt of the model itself. */
const stockNoSpeech = 0.2

/** Letters, marks and signs: the scripts whose letters take several tokens need more of them. */
const latinTokensPerSecond = 9
const otherTokensPerSecond = 26
const spareTokens = 16

export function tokenCap(seconds: number, latin: boolean): number {
  return Math.ceil(seconds * (latin ? latinTokensPerSecond : otherTokensPerSecond)) + spareTokens
}

export function clipLevel(samples: Float32Array): number {
  let sum = 0
  for (let i = 0; i < samples.length; i++) sum += samples[i]! * samples[i]!
  return samples.length === 0 ? 0 : Math.sqrt(sum / samples.length)
}
