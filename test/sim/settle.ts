import { isHopeless } from '../../actors/attempt/hopeless.ts'
import { noTurn } from '../../actors/attempt/quarantine.ts'
import { FailureError, isRetryable } from '../../actors/failure.ts'
import type { Platform, SimBody } from './platform-parts.ts'
import { stopped } from './streams.ts'
import type { Hand } from './hand.ts'
import type { Process, World } from './world.ts'

/** Who takes something in hand, and what becomes of it. */
export interface Settling<Body> {
  readonly platform: Platform
  readonly process: Process
  /** Tells whoever waits for it that it can never be done. */
  readonly giveUp: (body: Body, error: unknown) => Promise<void>
}

/** Acknowledged when the handler resolves; given back when it rejects, or set aside when that never ends. */
export async function settle<Body extends SimBody>(
  settling: Settling<Body>,
  ongoing: readonly Hand<Body>[],
  handle: () => Promise<unknown>,
): Promise<void> {
  try {
    await handle()
  } catch (error) {
    if (error !== stopped && error !== noTurn.cause) mustBeFailure(settling.platform.world, error)
    await Promise.all(ongoing.map((hand) => refuse(settling, hand, error)))
    return
  }
  await Promise.all(ongoing.map((hand) => hand.ack()))
}

/** In the order of the real one: a crash before the last step repeats all of it. */
async function refuse<Body extends SimBody>(
  { platform, process, giveUp }: Settling<Body>,
  hand: Hand<Body>,
  error: unknown,
): Promise<void> {
  const { world, deadLetters } = platform
  // whatever it met: who must stop gives back what it has not done
  if (process.isStopping) return hand.giveBack(error)
  if (!(error instanceof FailureError) || !isHopeless(error, hand.deliveries)) return hand.giveBack(error)
  try {
    await world.call(process, { service: 'broker', what: 'dead-letters', key: hand.id }, () => {
      world.count('dead letter')
      deadLetters.set(hand.id, hand.work)
    })
    if (platform.broken !== 'silent-dead-letters') await giveUp(hand.work, error)
  } catch (cause) {
    mustBeFailure(world, cause)
    if (isRetryable(cause)) return hand.giveBack(cause)
  }
  return hand.ack()
}

/** What concerns the same record is told together. */
export async function settleInGroups<Body extends SimBody>(
  settling: Settling<Body>,
  ongoing: readonly Hand<Body>[],
  input: { keyOf(body: Body): string; tell(first: Body, all: readonly Body[]): Promise<unknown> },
): Promise<void> {
  const groups = new Map<string, [Hand<Body>, ...Hand<Body>[]]>()
  for (const hand of ongoing) {
    const group = groups.get(input.keyOf(hand.work))
    if (group) group.push(hand)
    else groups.set(input.keyOf(hand.work), [hand])
  }
  await Promise.all(
    Array.from(groups.values(), (group) => {
      const all = group.map(({ work }) => work)
      return settle(settling, group, () => input.tell(group[0].work, all))
    }),
  )
}

/** Anything else that crosses a boundary is a bug. */
export function mustBeFailure(world: World, error: unknown): void {
  if (error instanceof FailureError) return
  world.violate(`a bug: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
}
