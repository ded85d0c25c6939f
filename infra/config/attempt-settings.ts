import { flag, integer, seconds } from './kinds.ts'

/** How often work is tried, for how long, and when it is taken to be lost. */
export const attemptSettings = {
  chunkMaxRetries: integer({
    variable: 'CHUNK_MAX_RETRIES',
    about: 'How often a chunk is tried again.',
    unit: 'times',
    fallback: 3,
    max: 100,
  }),
  chunkRetryIntervals: seconds({
    variable: 'CHUNK_RETRY_INTERVALS',
    about: 'Pauses before each of these.',
    fallback: '5,15,45',
  }),
  fileMaxRetries: integer({
    variable: 'FILE_MAX_RETRIES',
    about: 'How often loading, cutting or putting together a file is tried again.',
    unit: 'times',
    fallback: 3,
    max: 100,
  }),
  fileRetryIntervals: seconds({
    variable: 'FILE_RETRY_INTERVALS',
    about: 'Pauses before each of these.',
    fallback: '5,15,45',
  }),
  separateRetryQueues: flag({
    variable: 'SEPARATE_RETRY_QUEUES',
    about: 'Whether retries wait in `file_retry_queue` and `job_retry_queue`, which are read after the fresh work.',
    fallback: false,
  }),
  chunkMaxRetriesSeparate: integer({
    variable: 'CHUNK_MAX_RETRIES_SEPARATE',
    about: 'How often a chunk or file is tried again with SEPARATE_RETRY_QUEUES.',
    unit: 'times',
    fallback: 3,
    max: 100,
  }),
  chunkRetryIntervalsSeparate: seconds({
    variable: 'CHUNK_RETRY_INTERVALS_SEPARATE',
    about: 'Pauses before each of these.',
    fallback: '30,60,120',
  }),
  deathsMax: integer({
    variable: 'WORKER_DEATHS_MAX',
    about: 'How many workers may die with the same piece of work before it is given up.',
    unit: 'deaths',
    fallback: 3,
    min: 1,
    max: 100,
  }),
  ackWaitMs: integer({
    variable: 'ACK_WAIT_MS',
    about: 'How long a worker may be silent before its work is given to another.',
    unit: 'milliseconds',
    fallback: 30_000,
    min: 500,
    max: 3_600_000,
  }),
  chunkDeadlineSeconds: integer({
    variable: 'CHUNK_DEADLINE_SECONDS',
    about: 'How long one attempt at a chunk may take.',
    unit: 'seconds',
    fallback: 600,
    min: 1,
    max: 86_400,
  }),
  fileDeadlineSeconds: integer({
    variable: 'FILE_DEADLINE_SECONDS',
    about: 'How long one attempt at loading and cutting a file, or at putting it together, may take.',
    unit: 'seconds',
    fallback: 7200,
    min: 1,
    max: 86_400,
  }),
  newsAfterMs: integer({
    variable: 'NEWS_AFTER_MS',
    about:
      'A file or chunk that takes longer is told to be under way; of others only how they ended. 0 tells of all, at once.',
    unit: 'milliseconds',
    fallback: 1_000,
    max: 600_000,
  }),
  staleMs: integer({
    variable: 'STALE_MS',
    about: 'How long an open batch may show no change before the sweeper looks after it.',
    unit: 'milliseconds',
    fallback: 120_000,
    min: 100,
    max: 86_400_000,
  }),
} as const
