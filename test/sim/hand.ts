import { FailureError } from '../../actors/failure.ts'
import type { Slotted } from '../../actors/ports.ts'
import type { Process, World } from './world.ts'

/** A message in somebody's hands. */
export interface Hand<Body> extends Slotted<Body> {
  readonly id: string
  ack(): Promise<void>
  /** `error`: why it was not done. */
  giveBack(error: unknown): Promise<void>
}

type Held<Body> = Omit<Hand<Body>, 'signal' | 'aside'> & { readonly controller: () => AbortController }

/** A class, since a getter of one object belongs to its map: that is old, and what the getter sees stays until all that is old is collected. */
export class MessageInHand<Body> implements Hand<Body> {
  readonly id: string
  readonly work: Body
  readonly deliveries: number
  readonly mayBeForgotten: boolean
  readonly ack: Hand<Body>['ack']
  readonly giveBack: Hand<Body>['giveBack']
  readonly #controller: () => AbortController

  constructor({ id, work, deliveries, mayBeForgotten = false, ack, giveBack, controller }: Held<Body>) {
    this.id = id
    this.work = work
    this.deliveries = deliveries
    this.mayBeForgotten = mayBeForgotten
    this.ack = ack
    this.giveBack = giveBack
    this.#controller = controller
  }

  /** Its time begins when somebody looks at it. */
  get signal(): AbortSignal {
    return this.#controller().signal
  }

  aside<Value>(wait: () => Promise<Value>): Promise<Value> {
    return wait()
  }
}

/** Aborted when the time of its work is over; made when it is first asked for. */
export function deadlineOf(world: World, process: Process, ms: number): () => AbortController {
  let made: AbortController | undefined
  return () => (made ??= deadline(world, process, ms))
}

function deadline(world: World, process: Process, ms: number): AbortController {
  const controller = new AbortController()
  const failure = { kind: 'retryable', code: 'deadline_exceeded', detail: 'This took longer than it may.' } as const
  void world.sleep(process, ms).then(() => controller.abort(new FailureError(failure)))
  return controller
}
