import { dispatch, spawn, start, stop } from 'nact'
import type { Ref } from 'nact'

import { retryDelayMs } from '../attempt/retry.ts'
import { unreachable } from '../decision.ts'
import { FailureError, isRetryable, sentenceOf, terminal } from '../failure.ts'
import type { Clock } from '../ports.ts'
import type { PurgePorts } from '../purge/actor.ts'
import { createPromiseKeeper } from '../purge/keep-promises.ts'
import { purge } from '../purge/purge.ts'
import type { Uploads } from '../services.ts'
import { uploadedFileActor } from './actor.ts'
import type { SpooledFile } from './actor.ts'
import type { SpooledUpload } from './ports.ts'
import { decideQueue, emptyQueue, unsettledFiles } from './queue.ts'
import type { Owed, UploadQueue, QueueCommand, QueueEffect } from './queue.ts'
import { record } from './record.ts'
import type { FileFacts, Manifest } from './state.ts'
import { takePlaceOf, withdrawUpload } from './withdraw.ts'
import type { WithdrawPorts } from './withdraw.ts'

interface UploadActorOptions {
  readonly concurrency: number
  readonly giveUpMs: number
  readonly firstRetryMs: number
  readonly lastRetryMs: number
  readonly sweepMs: number
}

interface UploadActorPorts extends PurgePorts, WithdrawPorts {
  readonly clock: Clock
  random(): number
}

export interface UploadActor extends Uploads {
  /** Takes up what the spool holds from before, and the deletions that a crash left open; before anyone may ask. */
  resume(uploads: readonly SpooledUpload[]): Promise<void>
  /** Starts nothing new and resolves when nothing runs any more. What is left waits in the spool. */
  drain(): Promise<void>
  /** Files accepted here that have not settled. */
  backlog(): number
}

/** Longer than a worker stands still and goes on: what it then writes of a file that was deleted is found after this. */
const lingerMs = 60 * 60_000

type Message = QueueCommand | { readonly type: 'Sweep' }

/** Moves accepted uploads into storage: a bounded number at once, again and again until each is settled. */
export function startUploadActor(ports: UploadActorPorts, options: UploadActorOptions): UploadActor {
  const system = start()
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<void>>()
  const keeper = createPromiseKeeper(ports, lingerMs)
  let draining = false
  let backlog = 0

  const actor: Ref<Message> = spawn(
    system,
    (queue: UploadQueue = emptyQueue, message: Message): UploadQueue => {
      if (message.type === 'Sweep') {
        track(sweep())
        return queue
      }
      const { state, effects } = decideQueue(queue, message, draining ? 0 : options.concurrency)
      for (const effect of effects) act(effect)
      backlog = unsettledFiles(state)
      return state
    },
    'transfers',
    {
      onCrash: (_message, error, context) => {
        ports.log.error('upload actor crashed', { error })
        return context.resume
      },
    },
  )

  function act(effect: QueueEffect): void {
    switch (effect.type) {
      case 'Run':
        return track(run(effect.owed))
      case 'RetryLater':
        return retryLater(effect.owed, effect.error)
      case 'Finish':
        return track(finish(effect.upload))
      default:
        return unreachable(effect)
    }
  }

  async function run(owed: Owed): Promise<void> {
    try {
      await perform(owed)
      dispatch(actor, { type: 'Done', owed })
    } catch (error) {
      dispatch(actor, { type: 'Failed', owed, error })
    }
  }

  async function perform({ upload, facts }: Owed): Promise<void> {
    if (facts) return transferOrGiveUp(ports, { upload, facts }, options.giveUpMs)
    if ((await withdrawUpload(ports, upload)) === 'stays') dispatch(actor, { type: 'TakeUp', upload })
  }

  function retryLater({ upload, facts, attempt }: Owed, error: unknown): void {
    const { uploadId } = upload.manifest
    ports.log.warn('upload step failed', { uploadId, fileId: facts?.fileId, attempt, error })
    const delay = { firstMs: options.firstRetryMs, lastMs: options.lastRetryMs, jitter: ports.random() }
    const owed: Owed = { upload, attempt: attempt + 1, ...(facts && { facts }) }
    later(retryDelayMs(attempt, delay), { type: 'Try', owed })
  }

  async function finish(upload: SpooledUpload): Promise<void> {
    try {
      await upload.finish()
    } catch (error) {
      ports.log.warn('spool folder could not be removed; the next start will', { error })
    }
  }

  async function sweep(): Promise<void> {
    try {
      await keeper.keep()
    } catch (error) {
      ports.log.warn('sweep of deletions failed', { error })
    }
    later(options.sweepMs, { type: 'Sweep' })
  }

  function later(delayMs: number, message: Message): void {
    if (draining) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      dispatch(actor, message)
    }, delayMs)
    timers.add(timer)
  }

  function track(step: Promise<void>): void {
    running.add(step)
    void step.finally(() => running.delete(step))
  }

  return {
    async accept(upload) {
      if ((await record(ports, upload)) === 'gone')
        throw terminal('conflict', 'This upload took so long that a repetition replaced it.')
      dispatch(actor, { type: 'TakeUp', upload })
    },
    async abandon(upload) {
      await upload
        .enter('abandoned')
        .catch((error: unknown) => ports.log.warn('abandoned upload could not be marked', { error }))
      dispatch(actor, { type: 'Try', owed: { upload, attempt: 1 } })
    },
    withdraw: (input) => takePlaceOf(ports.uploads, input),
    purge: (owner, fileIds) => purge(ports, owner, fileIds),
    async resume(uploads) {
      for (const upload of uploads) {
        if (upload.phase === 'committed') await recordUnlessReplaced(ports, upload)
        dispatch(actor, { type: 'TakeUp', upload })
      }
      dispatch(actor, { type: 'Sweep' })
    },
    async drain() {
      draining = true
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
      while (running.size > 0) await Promise.allSettled(running)
      stop(system)
    },
    backlog: () => backlog,
  }
}

async function transferOrGiveUp(ports: UploadActorPorts, spooled: SpooledFile, giveUpMs: number): Promise<void> {
  const file = uploadedFileActor(ports)
  try {
    await file.tell(spooled, [{ type: 'Begin' }])
  } catch (error) {
    const reason = reasonToGiveUp(error, spooled.facts, { nowMs: ports.clock.nowMs(), giveUpMs })
    if (reason === undefined) throw error
    await file.tell(spooled, [{ type: 'GiveUp', reason }])
  }
}

/**
 * An upload whose idempotency key was meanwhile taken over by a repetition must not appear beside it. The claim is written
 * again first: of this and a take-over only one succeeds.
 */
async function recordUnlessReplaced(ports: UploadActorPorts, upload: SpooledUpload): Promise<void> {
  const isRecorded = (await isStillOurs(ports, upload.manifest)) && (await record(ports, upload)) === 'recorded'
  if (!isRecorded) await upload.enter('abandoned')
}

async function isStillOurs({ claims }: UploadActorPorts, { claimKey, uploadId }: Manifest): Promise<boolean> {
  if (claimKey === undefined) return true
  const claim = await claims.read(claimKey)
  if (!claim || claim.value.state === 'free' || claim.value.id !== uploadId) return false
  return (await claims.replace(claimKey, claim.value, claim.revision)) !== 'conflict'
}

function reasonToGiveUp(
  error: unknown,
  facts: FileFacts,
  at: { readonly nowMs: number; readonly giveUpMs: number },
): string | undefined {
  if (!(error instanceof FailureError)) return undefined
  if (!isRetryable(error)) return sentenceOf(error.failure)
  if (error.failure.code === 'broker_unavailable' || at.nowMs - facts.acceptedAtMs < at.giveUpMs) return undefined
  return `Storage did not take the file for ${Math.round(at.giveUpMs / 1000)} seconds; upload it again.`
}
