import type { Backlog } from '../../actors/services.ts'

/** Nobody waits: for tests in which estimates are nothing that could go wrong. */
export const noBacklog: Backlog = {
  files: () => Promise.resolve(0),
  load: () => Promise.resolve({ workers: 1, heardPerSecond: 1, files: 0, audioSeconds: 0, secondsUntilIdle: 0 }),
  lookAgain: () => Promise.resolve(),
  waitingFor: () => Promise.resolve(undefined),
  secondsUntilDone: () => Promise.resolve(0),
  secondsUntilIdle: () => Promise.resolve(0),
  filesOf: () => Promise.resolve(0),
  secondsUntilRoom: () => Promise.resolve(0),
  piecesOf: () => Promise.resolve(0),
  add: () => undefined,
  drop: () => undefined,
}
