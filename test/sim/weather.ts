/** How likely each fault is at each occasion. A seed has some of them and not others: what always rains together hides the rest. */
export interface Weather {
  /** A process dies while it waits for an answer. */
  readonly crash: number
  /** A process dies at a named crash point. */
  readonly crashAtPoint: number
  /** The broker does not answer; what it was asked has happened or not. */
  readonly unknown: number
  /** The same of storage, and of who answers about transcripts. */
  readonly storage: number
  /** An answer takes seconds. */
  readonly slow: number
  readonly lostAck: number
  /** A message is delivered although somebody has it in hand. */
  readonly twice: number
  /** A queue refuses a message. */
  readonly overloaded: number
  /** A read that may be a moment old is. */
  readonly stale: number
}

export const calm: Weather = {
  crash: 0,
  crashAtPoint: 0,
  unknown: 0,
  storage: 0,
  slow: 0,
  lostAck: 0,
  twice: 0,
  overloaded: 0,
  stale: 0,
}

export const services = ['broker', 'storage', 'speech', 'chat'] as const
export type Service = (typeof services)[number]
