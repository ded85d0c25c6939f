import type { Config } from '../infra/config/config.ts'
import { retentionIn } from '../infra/config/retention.ts'
import type { RetryPolicy } from './attempt/retry.ts'
import type { WorkerOptions } from './worker/actor.ts'

/** What the settings say of how a worker works. */
export function workerOptions(config: Config): WorkerOptions {
  return {
    fileWindow: config.fileWindow,
    batchWindow: config.batchWindow,
    fileRetry: retryOf(config, 'file'),
    chunkRetry: retryOf(config, 'chunk'),
    webhookRetry: { retriesMax: config.webhookMaxRetries, intervalsMs: config.webhookRetryIntervals },
    deathsMax: config.deathsMax,
    saveAudio: config.saveAudioData,
    newsAfterMs: config.newsAfterMs,
    chunkDeadlineMs: config.chunkDeadlineSeconds * 1000,
    transcribes: config.workerMode === 'both',
    staleMs: config.staleMs,
    sweepMs: config.sweepMs,
    retention: retentionIn(config),
    quota: { quotaFiles: config.quotaFiles, quotaAudioSeconds: config.quotaAudioSeconds },
  }
}

/** With queues of their own, retries of files and chunks follow the same pair of settings. */
function retryOf(config: Config, kind: 'file' | 'chunk'): RetryPolicy {
  if (config.separateRetryQueues)
    return { retriesMax: config.chunkMaxRetriesSeparate, intervalsMs: config.chunkRetryIntervalsSeparate }
  if (kind === 'file') return { retriesMax: config.fileMaxRetries, intervalsMs: config.fileRetryIntervals }
  return { retriesMax: config.chunkMaxRetries, intervalsMs: config.chunkRetryIntervals }
}
