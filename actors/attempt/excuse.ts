import { awayCodeOf } from '../failure.ts'
import type { Attempted } from './attempted.ts'

export interface ExcusePorts {
  /** Resolves when storage answers; rejects when it is away, or says nothing for a while. */
  readonly storageAnswers: () => Promise<void>
}

/**
 * A disk of the network that hangs refuses nothing: what waits for it is ended by its deadline. When the time of an attempt is over
 * and storage does not answer at that moment, the attempt has not failed but is left.
 */
export async function excused<Value>(
  { storageAnswers }: ExcusePorts,
  attempted: Attempted<Value>,
): Promise<Attempted<Value>> {
  if (attempted.kind !== 'failed' || attempted.failure.code !== 'deadline_exceeded') return attempted
  try {
    await storageAnswers()
    return attempted
  } catch (cause) {
    if (awayCodeOf(cause) === undefined) throw cause
    return { kind: 'left', cause }
  }
}
