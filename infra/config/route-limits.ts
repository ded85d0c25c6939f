import type { Config } from './config.ts'
import { retentionIn } from './retention.ts'

/** How often users and addresses may ask. */
export function rateLimits(config: Config) {
  return {
    user: { perSecond: config.rateUserPerSecond, burst: config.rateUserBurst },
    address: { perSecond: config.rateAddressPerSecond, burst: config.rateAddressBurst },
  }
}

/** What the routes of the gateway take and hold at once. */
export function routeLimits(config: Config) {
  const pace = { minBytesPerSecond: config.uploadMinBytesPerSecond, patienceSeconds: config.uploadPatienceSeconds }
  return {
    upload: {
      ...pace,
      deduplicates: config.uploadDeduplicate,
      maxFiles: config.uploadMaxFiles,
      maxFileBytes: config.uploadMaxFileBytes,
      maxRequestBytes: config.uploadMaxRequestBytes,
      places: { perUser: config.uploadMaxPerUser, all: config.uploadMaxConcurrent },
    },
    resumable: {
      ...pace,
      deduplicates: config.uploadDeduplicate,
      maxFileBytes: config.uploadMaxFileBytes,
      maxOpen: config.uploadResumableMax,
      lifetimeMs: config.uploadResumableSeconds * 1000,
    },
    submit: { maxFiles: config.batchMaxFiles, retention: retentionIn(config) },
    events: { perUser: config.eventsMaxPerUser, all: config.eventsMax },
    search: { wordsMax: config.searchMaxWords },
    usage: {
      storedFiles: config.quotaStoredFiles,
      storedBytes: config.quotaStoredBytes,
      dayAudioSeconds: config.quotaDayAudioSeconds,
    },
    speech: {
      maxCharacters: config.speechMaxCharacters,
      places: { perUser: config.speechMaxPerUser, all: config.speechMaxConcurrent },
    },
    wait: {
      ...pace,
      maxFileBytes: config.waitMaxFileBytes,
      maxSeconds: config.waitMaxSeconds,
      places: { perUser: config.waitMaxPerUser, all: config.waitMax },
      deadlineMs: config.waitDeadlineSeconds * 1000,
      keep: config.waitKeep,
    },
  }
}
