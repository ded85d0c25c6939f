import { noTurn } from '../../actors/attempt/quarantine.ts'
import { FailureError } from '../../actors/failure.ts'
import { stopped } from './streams.ts'
import type { Hand } from './streams.ts'
import type { World } from './world.ts'

/** Acknowledged when the handler resolves; given back when it rejects. */
export async function settle<Body>(
  world: World,
  ongoing: readonly Hand<Body>[],
  handle: () => Promise<unknown>,
): Promise<void> {
  try {
    await handle()
  } catch (error) {
    if (error !== stopped && error !== noTurn.cause) mustBeFailure(world, error)
    await Promise.all(ongoing.map((hand) => hand.giveBack()))
    return
  }
  await Promise.all(ongoing.map((hand) => hand.ack()))
}

/** What concerns the same record is told together. */
export async function settleInGroups<Body>(
  world: World,
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
      return settle(world, group, () => input.tell(group[0].work, all))
    }),
  )
}

/** Anything else that crosses a boundary is a bug. */
export function mustBeFailure(world: World, error: unknown): void {
  if (error instanceof FailureError) return
  world.violate(`a bug: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
}
