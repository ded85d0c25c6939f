import type { Clock } from '../../../actors/ports.ts'
import { recogniserRate } from '../../../actors/conversation/ports.ts'
import type { Router } from './router.ts'
import type { ClipOptions, Routed } from './task.ts'

interface PacedRouterParts {
  /** Hears better, and takes several times as long. */
  readonly accurate: Pick<Router, 'transcribe'>
  readonly quick: Pick<Router, 'transcribe'>
  /** Opens what the accurate one needs to hear with; until then the quick one hears. */
  open(): Promise<unknown>
  /** Whether somebody else waits to be heard. */
  isBusy(): boolean
  /** Closes what both hear with. */
  close(): Promise<void>
  readonly clock: Pick<Clock, 'elapsedMs'>
}

export interface PacedRouter extends Router {
  /** Resolves when the accurate one hears, too. */
  prepare(): Promise<void>
}

/** How much the last time says about the next one. */
const lastShare = 0.3
/** Whoever was too slow is thought a little quicker each time, and tried again by and by. */
const forgetting = 0.97

/**
 * Asks the better of two as long as it is thought to be done in time, by how long it took lately: on a quick machine that
 * is nearly always so, on a slow or busy one seldom.
 */
export function createPacedRouter(parts: PacedRouterParts): PacedRouter {
  const { accurate, quick, clock } = parts
  let opening: Promise<void> | undefined
  let isOpen = false
  let msASecond = 0

  function prepare(): Promise<void> {
    opening ??= parts.open().then(
      () => void (isOpen = true),
      (error: unknown) => {
        opening = undefined
        throw error
      },
    )
    return opening
  }

  function isInTime(seconds: number, withinMs = Infinity): boolean {
    if (!isOpen || parts.isBusy()) return false
    if (msASecond * seconds <= withinMs) return true
    msASecond *= forgetting
    return false
  }

  async function timed(clip: Float32Array, options: ClipOptions): Promise<Routed> {
    const fromMs = clock.elapsedMs()
    let tookMs: number | undefined
    const heardFirst: ClipOptions['heardFirst'] = (transcript) => {
      tookMs = clock.elapsedMs() - fromMs
      options.heardFirst?.(transcript)
    }
    const routed = await accurate.transcribe(clip, { ...options, heardFirst })
    if (tookMs !== undefined) {
      const now = tookMs / (clip.length / recogniserRate)
      msASecond = msASecond === 0 ? now : lastShare * now + (1 - lastShare) * msASecond
    }
    return routed
  }

  return {
    transcribe(clip, options) {
      prepare().catch(() => undefined) // the quick one hears, and it is tried again with the next clip
      const isBetter = isInTime(clip.length / recogniserRate, options.withinMs)
      return isBetter ? timed(clip, options) : quick.transcribe(clip, options)
    },
    prepare,
    close: () => parts.close(),
  }
}
