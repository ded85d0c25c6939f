import type { Random } from '../../sim/random.ts'
import type { Observer } from '../rig/observer.ts'
import type { Rig } from '../rig/rig.ts'

/** What a fault may touch. */
export interface NemesisScene {
  readonly rig: Rig
  readonly observer: Observer
  readonly random: Random
  /** Chunks whose message the rig took away, as `file.batch.chunk`. */
  readonly taken: Set<string>
  /** Copies of messages that were sent. */
  readonly copied: (subject: string) => void
  /** Users send more at once. */
  readonly rush: () => void
}

/** A fault that has begun. */
export interface Begun {
  readonly what: string
  end(): Promise<void> | void
}
