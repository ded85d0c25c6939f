/** Ways to build it wrong. Each must make the run fail: a rig that passes everything proves nothing. */
export const chaosBreaks = {
  'ack-first': 'work and reports are acknowledged before they are done',
  'count-numbers': 'settled chunks are counted with a number instead of a set',
  'no-sweeper': 'nobody looks after what was forgotten',
  'overwrite-results': 'the last result of a chunk is kept instead of the first',
} as const

export type ChaosBreak = keyof typeof chaosBreaks

export function isChaosBreak(text: string): text is ChaosBreak {
  return Object.hasOwn(chaosBreaks, text)
}
