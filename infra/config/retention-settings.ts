import { days } from './kinds.ts'

/** How long what transcriptions leave behind is kept. */
export const retentionSettings = {
  retainAudioMs: days({
    variable: 'RETAIN_AUDIO_DAYS',
    about:
      'How long recordings are kept after they were stored, with the sound of their chunks; 0 is until they are deleted. What an open batch needs stays.',
  }),
  retainResultsMs: days({
    variable: 'RETAIN_RESULTS_DAYS',
    about: 'How long results of files are kept after their end; 0 is until they are deleted.',
  }),
  retainRecordsMs: days({
    variable: 'RETAIN_RECORDS_DAYS',
    about:
      'How long batches are kept after their end; then they are deleted with their results. 0 is until they are deleted.',
  }),
} as const
