import type { World } from './world.ts'

/** One of those who take from a stream is given everything, until it has not taken for a while: then another is. */
interface Pin<Taker> {
  /** Whose turn it is among those who could take now; nobody's while one who has it cannot. */
  choose(able: readonly Taker[]): Taker | undefined
}

const heldForMs = 10_000

export function createPin<Taker>(world: World): Pin<Taker> {
  const { random } = world
  let owner: Taker | undefined
  let takenMs = 0
  let isAwaited = false

  /** Somebody looks again when its time is over. */
  const awaitItsEnd = (): void => {
    if (isAwaited) return
    isAwaited = true
    world.after(heldForMs, () => {
      isAwaited = false
    })
  }

  return {
    choose(able) {
      const nowMs = world.nowMs()
      // the broker forgets whose it was with the node that knew it: for a moment two take it for theirs
      if (random.chance(world.weather.twice)) owner = undefined
      if (owner !== undefined && !able.includes(owner) && nowMs - takenMs < heldForMs) {
        awaitItsEnd()
        return undefined
      }
      if (owner === undefined || !able.includes(owner)) {
        if (owner !== undefined) world.count('takeover')
        owner = random.pick(able)
      }
      takenMs = nowMs
      return owner
    },
  }
}
