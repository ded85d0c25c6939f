import { dispatch, spawn, stop } from 'nact'
import type { Ref } from 'nact'

import type { Log } from '../ports.ts'

interface SweepActor {
  /** Resolves when no sweep runs any more. */
  stop(): Promise<void>
}

/** Sweeps at once and then again and again, never twice at the same time. */
export function startSweepActor(
  parent: Ref<never>,
  input: { readonly everyMs: number; readonly log: Log; sweep(): Promise<number> },
): SweepActor {
  let timer: NodeJS.Timeout | undefined
  let isStopping = false
  let running: Promise<void> = Promise.resolve()

  const actor: Ref<'Sweep'> = spawn(
    parent,
    async (): Promise<undefined> => {
      running = sweepOnce()
      await running
      if (!isStopping) timer = setTimeout(() => dispatch(actor, 'Sweep'), input.everyMs)
    },
    'sweeper',
    {
      onCrash: (_message, error, context) => {
        input.log.error('sweeper crashed', { error })
        return context.resume
      },
    },
  )

  async function sweepOnce(): Promise<void> {
    try {
      const woken = await input.sweep()
      if (woken > 0) input.log.info('sweeper woke batches', { woken })
    } catch (error) {
      input.log.warn('sweep failed; the next one looks again', { error })
    }
  }

  dispatch(actor, 'Sweep')
  return {
    async stop() {
      isStopping = true
      clearTimeout(timer)
      stop(actor)
      await running
    },
  }
}
