import { size } from '../../actors/bitset.ts'
import type { ChunkWork } from '../../actors/chunk/protocol.ts'
import { retryable } from '../../actors/failure.ts'
import type { InquiryWork } from '../../actors/inquiry/protocol.ts'
import type { BatchWork, WorkQueue } from '../../actors/ports.ts'
import { wholeFilesOf } from '../../actors/purge/folders.ts'
import type { RunWork, Reports } from '../../actors/run/ports.ts'
import { chunksOf } from '../../actors/run/state.ts'
import type { RunState } from '../../actors/run/state.ts'
import type { WebhookWork } from '../../actors/webhook/protocol.ts'
import type { Break } from './breaks.ts'
import { checkBatch } from './check-batch.ts'
import { checkReplaced, checkRun } from './check-run.ts'
import { checkTakenBack } from './inquiries.ts'
import { checkWebhook } from './webhooks.ts'
import { createObjects } from './objects.ts'
import type { Oracle } from './oracle.ts'
import type { Platform, FileNews, BatchNews } from './platform-parts.ts'
import { isOversized } from './scenario.ts'
import type { Scenario } from './scenario.ts'
import { createStore } from './stores.ts'
import type { SimStore } from './stores.ts'
import { createStream } from './streams.ts'
import type { SimStream } from './streams.ts'
import type { Process, World } from './world.ts'

export function createPlatform(world: World, input: { scenario: Scenario; oracle: Oracle; broken?: Break }): Platform {
  const { scenario, oracle, broken } = input
  const storeBreaks = {
    staleDecisions: broken === 'stale-decisions',
    blindWrites: broken === 'blind-writes',
  }
  const streamBreaks = { ackFirst: broken === 'ack-first', uncountedDeaths: broken === 'uncounted-deaths' }
  const store = <Value>(name: string): SimStore<Value> => createStore(world, { name, breaks: storeBreaks })
  const fileQueue = createStream<RunWork>(world, { name: 'files', breaks: streamBreaks })
  const chunkQueue = createStream<ChunkWork>(world, { name: 'chunks', breaks: streamBreaks })
  const fileReports = createStream<FileNews>(world, { name: 'file-news', breaks: streamBreaks, isPinned: true })
  const batchReports = createStream<BatchNews>(world, { name: 'batch-news', breaks: streamBreaks, isPinned: true })
  const webhookQueue = createStream<WebhookWork>(world, { name: 'notices', breaks: streamBreaks })
  const inquiryQueue = createStream<InquiryWork>(world, { name: 'inquiries', breaks: streamBreaks })
  const platform: Platform = {
    world,
    scenario,
    broken,
    runs: createStore(world, {
      name: 'runs',
      breaks: storeBreaks,
      watch: (...change) => checkRun(platform, change),
      isTooLarge: (run) => isOversized(scenario, run.fileId) && hasSettled(run),
    }),
    batches: createStore(world, {
      name: 'batches',
      breaks: storeBreaks,
      watch: (...change) => checkBatch(platform, change),
    }),
    members: store('members'),
    open: store('open'),
    waiting: store('waiting'),
    quotas: store('quotas'),
    files: store('files'),
    uploads: store('uploads'),
    contents: store('contents'),
    purges: createStore(world, {
      name: 'purges',
      breaks: storeBreaks,
      watch: (_key, _before, after) => {
        if (!after) return
        for (const fileId of wholeFilesOf(after)) platform.promises.doomed.add(fileId)
        if (after.batchId) platform.promises.doomedBatches.add(after.batchId)
      },
    }),
    webhooks: createStore(world, {
      name: 'notices',
      breaks: storeBreaks,
      watch: (...change) => checkWebhook(platform, change),
    }),
    owedCalls: store('owed-calls'),
    openInquiries: store('open-inquiries'),
    leases: store('leases'),
    expiries: store('expiries'),
    survivals: store('survivals'),
    calls: new Map(),
    deadLetters: new Map(),
    listed: new Set(),
    batchHeads: store('batch-heads'),
    batchPages: store('batch-pages'),
    sentAs: new Map(),
    batchSentAs: new Map(),
    fileQueue,
    chunkQueue,
    fileReports,
    batchReports,
    webhookQueue,
    inquiryQueue,
    objects: createObjects(world, {
      replaced: (key) => checkReplaced(world, key),
      removing: (key) => checkTakenBack(platform, key),
      breaks: { overwrite: broken === 'overwrite-results', countOutages: broken === 'count-outages' },
    }),
    promises: {
      accepted: new Set(),
      deleted: new Set(),
      doomed: new Set(),
      doomedBatches: new Set(),
      cancelled: new Set(),
      purges: 0,
      open: 0,
    },
    oracle,
    streams: [fileQueue, chunkQueue, fileReports, batchReports, webhookQueue, inquiryQueue],
  }
  return platform
}

export function queueFor<Work extends RunWork | ChunkWork>(
  { world, oracle }: Pick<Platform, 'world' | 'oracle'>,
  stream: SimStream<Work>,
  process: Process,
): WorkQueue<Work> & BatchWork {
  const ask = <Result>(what: string, key: string, apply: () => Result): Promise<Result> =>
    world.call(process, { service: 'broker', what: `${stream.name}.${what}`, key }, apply)
  return {
    enqueue: (work, { id, delayMs }) =>
      ask('enqueue', id, () => {
        if (world.random.chance(world.weather.overloaded)) throw refused(world)
        if (stream.publish(work, { id, delayMs })) oracle.enqueued(work)
      }),
    outstanding: ({ batchId, fileId }) =>
      ask('outstanding', `${fileId}.${batchId}`, () =>
        [...stream.messages]
          .map(({ body }) => body)
          .filter((work) => work.fileId === fileId && work.batchId === batchId),
      ),
    filesWithWork: ({ batchId }) =>
      ask('filesWithWork', batchId, () => {
        const works = [...stream.messages].map(({ body }) => body)
        return new Set(works.filter((work) => work.batchId === batchId).map(({ index }) => index))
      }),
  }
}

function hasSettled({ progress }: RunState): boolean {
  const chunks = chunksOf(progress)
  return chunks !== undefined && size(chunks.done) + size(chunks.failed) > 0
}

function refused(world: World): Error {
  world.count('overloaded')
  return retryable('overloaded', 'The queue is full.')
}

export function reportsFor({ world, fileReports, batchReports }: Platform, process: Process): Reports {
  const ask = (key: string, apply: () => void): Promise<void> =>
    world.call(process, { service: 'broker', what: 'reports', key }, apply)
  return {
    toFile: (ref, command, id) => ask(id, () => fileReports.publish({ ref, command }, { id, delayMs: 0 })),
    toBatch: (at, command, id) => ask(id, () => batchReports.publish({ at, command }, { id, delayMs: 0 })),
  }
}
