import { dispatch, spawn, stop } from 'nact'
import type { Ref } from 'nact'

import type { Log } from './ports.ts'

/** One actor for each key that is in use: what concerns it is done one after another, what concerns others at the same time. */
export interface Turns {
  take<Result>(key: string, work: () => Promise<Result>): Promise<Result>
}

interface Turn {
  run(): Promise<void>
}

export function createTurns(parent: Ref<never>, name: string, log: Log): Turns {
  const group = spawn(parent, (state: undefined) => state, name, {
    onCrash: (_message, error, context) => {
      log.error('actor crashed', { error })
      return context.resume
    },
  })
  let spawned = 0
  const line = new Map<string, { readonly actor: Ref<Turn>; waiting: number }>()

  function join(key: string): Ref<Turn> {
    const known = line.get(key)
    if (known) {
      known.waiting += 1
      return known.actor
    }
    spawned += 1
    const actor = spawn(group, async (_: undefined, turn: Turn) => turn.run(), `${name}-${spawned}`, {
      onCrash: (_message, error, context) => {
        log.error('actor crashed', { error })
        return context.resume
      },
    })
    line.set(key, { actor, waiting: 1 })
    return actor
  }

  function leave(key: string): void {
    const entry = line.get(key)
    if (!entry) return
    entry.waiting -= 1
    if (entry.waiting > 0) return
    line.delete(key)
    stop(entry.actor)
  }

  return {
    take: (key, work) =>
      new Promise((resolve, reject) => {
        const run = async (): Promise<void> => {
          try {
            resolve(await work())
          } catch (error) {
            reject(error)
          } finally {
            leave(key)
          }
        }
        dispatch(join(key), { run })
      }),
  }
}
