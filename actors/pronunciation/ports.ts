import type { Pronounce } from '../conversation/ports.ts'
import type { Owner } from '../ids.ts'
import type { Pronunciation } from './state.ts'

/** How each user wants words to be spoken. */
export interface Pronunciations {
  /** In the order in which they were given. */
  listOf(owner: Owner): Promise<readonly Pronunciation[]>
  /** What there was gives way. */
  replaceAll(owner: Owner, entries: readonly Pronunciation[]): Promise<void>
  /** For whoever speaks, and cannot wait for long: nothing where there are none, or where the broker does not say in time. */
  pronounceFor(owner: Owner): Promise<Pronounce | undefined>
}
