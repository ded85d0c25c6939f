/** Ways to build it wrong. Each must be caught: a rig that passes everything proves nothing. */
export const breaks = [
  'ack-first',
  'count-with-a-number',
  'no-sweeper',
  'overwrite-results',
  'stale-decisions',
  'blind-writes',
  'uncounted-deaths',
  'delete-once',
  'silent-dead-letters',
  'count-outages',
  'issue-blindly',
] as const

export type Break = (typeof breaks)[number]

export function isBreak(text: string): text is Break {
  return breaks.some((name) => name === text)
}
