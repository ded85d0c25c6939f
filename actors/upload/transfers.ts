import { dispatch, spawn, start, stop } from 'nact'
import type { Ref } from 'nact'

import { terminal } from '../failure.ts'
import type { PurgePorts } from '../purge/actor.ts'
import { createPromiseKeeper } from '../purge/keep-promises.ts'
import { promisePurge, purge, purgeBatch } from '../purge/purge.ts'
import type { Uploads } from '../services.ts'
import { knownContents } from './contents.ts'
import type { SpooledUpload } from './ports.ts'
import { decideQueue, emptyQueue, unsettledFiles } from './queue.ts'
import type { QueueCommand, UploadQueue } from './queue.ts'
import { record } from './record.ts'
import type { Manifest } from './state.ts'
import { beginOwed } from './transfer.ts'
import type { TransferOptions, TransferPorts } from './transfer.ts'
import { createUnderWay } from './under-way.ts'
import type { UnderWay } from './under-way.ts'
import { takePlaceOf } from './withdraw.ts'

interface UploadActorOptions extends TransferOptions {
  readonly concurrency: number
  readonly sweepMs: number
}

export type UploadActorPorts = PurgePorts & TransferPorts

export interface UploadActor extends Uploads {
  /** Takes up what spools hold from before, and the deletions that a crash left open; before anyone may ask. */
  resume(uploads: readonly SpooledUpload[]): Promise<void>
  /** Takes up what another gateway left in its spool. */
  adopt(uploads: readonly SpooledUpload[]): Promise<void>
  /** Starts nothing new and resolves when nothing runs any more. What is left waits in the spool. */
  drain(): Promise<void>
  /** Files accepted here that have not settled. */
  backlog(): number
}

/** Longer than a worker stands still and goes on: what it then writes of a file that was deleted is found after this. */
const lingerMs = 60 * 60_000

/** Moves accepted uploads into storage: a bounded number at once, again and again until each is settled. */
export function startUploadActor(ports: UploadActorPorts, options: UploadActorOptions): UploadActor {
  const underWay = createUnderWay()
  const transfers = startTransfers(ports, options, underWay)
  const adopt = async (uploads: readonly SpooledUpload[]): Promise<void> => {
    for (const upload of uploads) {
      if (upload.phase === 'committed') await recordUnlessReplaced(ports, upload)
      transfers.tell({ type: 'TakeUp', upload })
    }
  }
  return {
    async accept(upload) {
      const { files } = upload.manifest
      const looking = knownContents(ports, files)
      if ((await record(ports, upload, looking)) === 'gone')
        throw terminal('conflict', 'This upload took so long that a repetition replaced it.')
      const known = await looking
      const moving = upload.isStored ? files.filter(({ fileId }) => known.has(fileId)) : files
      transfers.tell({ type: 'TakeUp', upload, files: moving })
      return known
    },
    async abandon(upload) {
      await upload
        .enter('abandoned')
        .catch((error: unknown) => ports.log.warn('abandoned upload could not be marked', { error }))
      transfers.tell({ type: 'Try', owed: { upload, attempt: 1 } })
    },
    withdraw: (input) => takePlaceOf(ports.uploads, input),
    purge: (owner, fileIds) => purge(ports, owner, fileIds),
    purgeBatch: (deletion) => purgeBatch(ports, deletion),
    async purgeLater(promised) {
      const keep = await promisePurge(ports, promised)
      const { fileIds } = promised
      const held = (error: unknown): void => ports.log.warn('deletion waits for storage or broker', { fileIds, error })
      underWay.track(keep().catch(held))
    },
    async resume(uploads) {
      await adopt(uploads)
      transfers.tell({ type: 'Sweep' })
    },
    adopt,
    async drain() {
      await underWay.drain()
      transfers.stop()
    },
    backlog: () => transfers.backlog(),
  }
}

type Message = QueueCommand | { readonly type: 'Sweep' }

interface Transfers {
  tell(message: Message): void
  backlog(): number
  stop(): void
}

/** The nact actor that has the queue. */
function startTransfers(ports: UploadActorPorts, options: UploadActorOptions, underWay: UnderWay): Transfers {
  const system = start()
  const keeper = createPromiseKeeper(ports, lingerMs)
  let backlog = 0

  const actor: Ref<Message> = spawn(
    system,
    (queue: UploadQueue = emptyQueue, message: Message): UploadQueue => {
      if (message.type === 'Sweep') {
        underWay.track(sweep())
        return queue
      }
      const { state, effects } = decideQueue(queue, message, underWay.isDraining ? 0 : options.concurrency)
      for (const effect of effects) beginOwed({ ports, options, underWay, tell }, effect)
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

  function tell(message: Message): void {
    dispatch(actor, message)
  }

  async function sweep(): Promise<void> {
    try {
      await keeper.keep()
    } catch (error) {
      ports.log.warn('sweep of deletions failed', { error })
    }
    underWay.later(options.sweepMs, () => tell({ type: 'Sweep' }))
  }

  return { tell, backlog: () => backlog, stop: () => stop(system) }
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
