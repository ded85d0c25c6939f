import { bytes, flag, integer } from './kinds.ts'

/** The endpoints that answer with a transcript, or with the times of a text, while the client waits. */
export const compatibleSettings = {
  waitMaxFileBytes: bytes({
    variable: 'WAIT_MAX_FILE_BYTES',
    about: 'Largest recording that `/v1/audio/transcriptions`, `/v1/audio/translations` and `/transcribe/align` take.',
    fallback: '100MiB',
    min: 1024,
  }),
  waitMaxSeconds: integer({
    variable: 'WAIT_MAX_AUDIO_SECONDS',
    about: 'Longest recording that they take; `/transcribe/align` takes half an hour at most.',
    unit: 'seconds',
    fallback: 3600,
    min: 1,
    max: 86_400,
  }),
  waitDeadlineSeconds: integer({
    variable: 'WAIT_DEADLINE_SECONDS',
    about: 'How long they wait for a result before they take the recording back.',
    unit: 'seconds',
    fallback: 600,
    min: 1,
    max: 86_400,
  }),
  waitMaxPerUser: integer({
    variable: 'WAIT_MAX_PER_USER',
    about: 'Recordings of one user that one gateway waits for at the same time, at each of them.',
    unit: 'recordings',
    fallback: 16,
    min: 1,
    max: 1000,
  }),
  waitMax: integer({
    variable: 'WAIT_MAX',
    about: 'Recordings of all users that one gateway waits for at the same time, at each of them.',
    unit: 'recordings',
    fallback: 200,
    max: 9000,
  }),
  waitKeep: flag({
    variable: 'WAIT_KEEP',
    about: 'Whether such recordings and their transcripts stay, listed like all others, when they were answered.',
    fallback: false,
  }),
} as const
