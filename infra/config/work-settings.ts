import { choice, flag, integer } from './kinds.ts'

/** Batches and the workers that transcribe them. */
export const workSettings = {
  appEnv: choice({
    variable: 'APP_ENV',
    about: '`development` adds counts of jobs and chunks to what the batch endpoints answer.',
    allowed: ['production', 'development'],
    fallback: 'production',
  }),
  workerMode: choice({
    variable: 'WORKER_MODE',
    about: 'What a worker does: cut and put together files, hear chunks, or both.',
    allowed: ['both', 'file', 'chunk'],
    fallback: 'both',
  }),
  healthPort: integer({
    variable: 'HEALTH_PORT',
    about:
      'Port on which a worker answers /healthz and /readyz; 0 turns it off. Gateways and realtime servers answer on their own.',
    unit: 'port',
    fallback: 0,
    max: 65_535,
  }),
  workerMetricsPort: integer({
    variable: 'WORKER_METRICS_PORT',
    about: 'Port of the Prometheus metrics of a worker, on METRICS_HOST; 0 turns them off.',
    unit: 'port',
    fallback: 0,
    max: 65_535,
  }),
  workerNiceness: integer({
    variable: 'WORKER_NICENESS',
    about:
      'How far a worker gives way to other processes that want the same cores, from 0 (not at all) to 19: requests and conversations on its machine are not held up by transcription. What is for users who had much lately gives way further. With the machine to itself it changes nothing.',
    unit: 'steps',
    fallback: 10,
    max: 19,
  }),
  workerFileSlots: integer({
    variable: 'WORKER_FILE_SLOTS',
    about:
      'Files that one worker cuts or puts together at the same time; a file of one chunk is transcribed meanwhile as well. 0 means one more than there are cores, and no more than 16. When all are of users who had much lately, one more for others; so it is with chunks.',
    unit: 'files',
    fallback: 0,
    max: 64,
  }),
  workerFetchSlots: integer({
    variable: 'WORKER_FETCH_SLOTS',
    about: 'Sources given by URL that one worker fetches at the same time, besides WORKER_FILE_SLOTS.',
    unit: 'sources',
    fallback: 8,
    min: 1,
    max: 256,
  }),
  workerFetchSlotsPerUser: integer({
    variable: 'WORKER_FETCH_SLOTS_PER_USER',
    about: 'How many of those may be of one user; further ones wait without holding anybody up.',
    unit: 'sources',
    fallback: 2,
    min: 1,
    max: 256,
  }),
  workerChunkSlots: integer({
    variable: 'WORKER_CHUNK_SLOTS',
    about: 'Chunks that one worker has in hand at the same time; 0 means three for each core.',
    unit: 'chunks',
    fallback: 0,
    max: 256,
  }),
  fileWindow: integer({
    variable: 'FILE_WINDOW',
    about: 'Chunks of one file that are enqueued at the same time; more follow as these settle.',
    unit: 'chunks',
    fallback: 32,
    min: 1,
    max: 1000,
  }),
  batchWindow: integer({
    variable: 'BATCH_WINDOW',
    about: 'Files of one batch that are under way at the same time; more follow as these settle.',
    unit: 'files',
    fallback: 32,
    min: 1,
    max: 1000,
  }),
  recogniser: choice({
    variable: 'RECOGNISER',
    about: 'For tests only: `scripted` hears what a recording is made to say. Refused with NODE_ENV=production.',
    allowed: ['models', 'scripted'],
    fallback: 'models',
  }),
  inferenceBatchSize: integer({
    variable: 'INFERENCE_BATCH_SIZE',
    about: 'Chunks that are gathered, loaded together and heard together; 1 hears each by itself.',
    unit: 'chunks',
    fallback: 1,
    min: 1,
    max: 64,
  }),
  inferenceBatchAgeMs: integer({
    variable: 'INFERENCE_BATCH_AGE_MS',
    about: 'How long the first of them waits for company.',
    unit: 'milliseconds',
    fallback: 50,
    max: 10_000,
  }),
  saveAudioData: flag({
    variable: 'SAVE_AUDIO_DATA',
    about: 'Whether the sound of chunks stays in storage for replay; otherwise it goes when it is no longer needed.',
    fallback: true,
  }),
  audioMaxSeconds: integer({
    variable: 'AUDIO_MAX_SECONDS',
    about: 'Longest recording that is transcribed.',
    unit: 'seconds',
    fallback: 28_800,
    min: 1,
    max: 604_800,
  }),

  batchMaxFiles: integer({
    variable: 'BATCH_MAX_FILES',
    about: 'Most files in one batch.',
    unit: 'files',
    fallback: 10_000,
    min: 1,
    max: 10_000,
  }),
  queueMaxFiles: integer({
    variable: 'QUEUE_MAX_FILES',
    about: 'Most files that wait or are under way, of all users together; further batches are asked to come back.',
    unit: 'files',
    fallback: 100_000,
    min: 1,
    max: 10_000_000,
  }),
  queueMaxFilesPerUser: integer({
    variable: 'QUEUE_MAX_FILES_PER_USER',
    about: 'How many of these may be of one user; looked at as they come, where QUOTA_FILES is exact.',
    unit: 'files',
    fallback: 50_000,
    min: 1,
    max: 10_000_000,
  }),
  quotaFiles: integer({
    variable: 'QUOTA_FILES',
    about: 'Most files of one user that wait or are under way; 0 means no such limit.',
    unit: 'files',
    fallback: 0,
    max: 10_000_000,
  }),
  quotaAudioSeconds: integer({
    variable: 'QUOTA_AUDIO_SECONDS',
    about:
      'Most sound of one user that waits or is under way, as headers tell and then as it is decoded; 0 means no such limit.',
    unit: 'seconds',
    fallback: 0,
    max: 1_000_000_000,
  }),

  quotaDayAudioSeconds: integer({
    variable: 'QUOTA_DAY_AUDIO_SECONDS',
    about:
      'Most sound that one user may have transcribed in a day (UTC), on all machines together; 0 means no such limit.',
    unit: 'seconds',
    fallback: 3_600_000,
    max: 1_000_000_000,
  }),
} as const
