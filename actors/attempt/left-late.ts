import { awayCodeOf } from '../failure.ts'

interface LeftWork {
  /** Whether somebody else has done it, or nobody wants it any more. */
  readonly isOver: () => Promise<boolean>
  /** Asks whoever it was for to look what it owes. */
  readonly wake: () => Promise<void>
}

/**
 * Who leaves work may have stored something after another had ended it. Then its message is gone, and nobody comes again to clear that
 * away (I12). While the broker is away nothing can be said.
 */
export async function wakeIfOver({ isOver, wake }: LeftWork): Promise<void> {
  try {
    if (await isOver()) await wake()
  } catch (error) {
    if (awayCodeOf(error) === undefined) throw error
  }
}
