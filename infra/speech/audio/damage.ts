import type { Warning } from './decoder-protocol.ts'

/** What was met on the way through a file. */
export interface Encountered {
  readonly packets: number
  /** Packets that the decoder did not take, for whatever reason. */
  readonly lost: number
  /** Those of them that are damaged for certain. */
  readonly ruined: number
  readonly brokeOff: boolean
  readonly clockJumped: boolean
  /** By the file's own time stamps, from its first sample to its last, silence included. */
  readonly clockSeconds: number
  /** What came out. */
  readonly decodedSeconds: number
  /** Where in the recording its last sample is; the same, unless only a part was wanted. */
  readonly endSeconds: number
}

/** What the file says of itself. */
interface Promised {
  readonly declaredSeconds: number | null
  readonly startSeconds: number
  /** By which the file is shorter than its header says. */
  readonly missingBytes: number
}

const tolerableShortfallSeconds = 0.5
const tolerableShortfallShare = 0.01
/** Shorter than any word, and what a decoder may make of a few bytes of noise. */
const leastSeconds = 0.1
/**
 * Noise under the header of a codec that has no checksums: a third of it and more is refused packet by packet. What the
 * decoder only does not know, such as the silences of telephones, is no damage.
 */
const mostRuinedShare = 1 / 5
const fewestRuined = 3

export function warningsOf(met: Encountered, promised: Promised): Warning[] {
  const found: Warning[] = []
  const cut = whatIsMissing(met, promised)
  if (cut) found.push({ code: 'truncated', message: `The file is incomplete: ${cut}.` })
  if (met.lost > 0)
    found.push({
      code: 'damaged',
      message: `${met.lost} of ${met.packets} packets of the audio are damaged and were left out.`,
    })
  if (met.clockJumped)
    found.push({ code: 'clock', message: 'The time stamps of the file jump; times after a jump may be wrong.' })
  return found
}

/** Why nothing of it can be used: there is too little, or so much is damaged that the rest is not what was recorded. */
export function whyUseless(met: Encountered, warnings: readonly Warning[]): string | undefined {
  const { packets, ruined, decodedSeconds } = met
  if (decodedSeconds === 0 || (warnings.length > 0 && decodedSeconds < leastSeconds))
    return 'No audio could be decoded from the file: it is empty or damaged.'
  if (decodedSeconds < leastSeconds)
    return `The recording has less than ${leastSeconds} s of sound, in which nothing can be heard: send all of it.`
  if (ruined >= fewestRuined && ruined > packets * mostRuinedShare)
    return `The audio is damaged: ${ruined} of ${packets} packets cannot be decoded. Send the original recording.`
  return undefined
}

function whatIsMissing({ clockSeconds, endSeconds, brokeOff }: Encountered, promised: Promised) {
  const declared = promised.declaredSeconds ?? 0
  // some containers count from zero on their clock, others from the first sample: take the kinder view
  const shortfall = declared - promised.startSeconds - Math.max(clockSeconds, endSeconds)
  if (shortfall > Math.max(tolerableShortfallSeconds, declared * tolerableShortfallShare))
    return `its header promises ${inTenths(declared)} s, ${inTenths(endSeconds)} s could be read`
  if (promised.missingBytes > 0) return `its header promises ${promised.missingBytes} bytes more than there are`
  return brokeOff ? `it breaks off after ${inTenths(endSeconds)} s` : undefined
}

export function inTenths(seconds: number): number {
  return Math.round(seconds * 10) / 10
}
