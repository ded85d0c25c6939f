import { integer, seconds } from './kinds.ts'

/** What a chat model (LLM_BASE_URL) is asked about transcripts: summaries, chapters and questions. */
export const inquirySettings = {
  inquirySlots: integer({
    variable: 'INQUIRY_SLOTS',
    about:
      'Summaries, chapters and answers that one worker has written at the same time, where LLM_BASE_URL is set. Keep it to what that endpoint takes at once.',
    unit: 'inquiries',
    fallback: 2,
    min: 1,
    max: 100,
  }),
  inquiryUserOpen: integer({
    variable: 'INQUIRY_USER_OPEN',
    about: 'Those that one user may wait for at the same time.',
    unit: 'inquiries',
    fallback: 100,
    min: 1,
    max: 10_000,
  }),
  inquiryPartCharacters: integer({
    variable: 'INQUIRY_PART_CHARACTERS',
    about:
      'How much of a transcript the chat endpoint is sent at once; a longer one is read part by part. With instructions and answer it has to fit the context of LLM_MODEL: a character of Hindi may take a token.',
    unit: 'characters',
    fallback: 12_000,
    min: 1_000,
    max: 1_000_000,
  }),
  inquiryMaxCharacters: integer({
    variable: 'INQUIRY_MAX_CHARACTERS',
    about: 'The longest transcript that the chat endpoint is asked about: an hour of speech has some 50,000.',
    unit: 'characters',
    fallback: 600_000,
    min: 1_000,
    max: 10_000_000,
  }),
  inquirySilenceSeconds: integer({
    variable: 'INQUIRY_SILENCE_SECONDS',
    about: 'How long the chat endpoint may be silent, before it begins to answer and within its answer.',
    unit: 'seconds',
    fallback: 120,
    min: 1,
    max: 3600,
  }),
  inquiryDeadlineSeconds: integer({
    variable: 'INQUIRY_DEADLINE_SECONDS',
    about: 'How long one attempt may take, with all parts of a long transcript.',
    unit: 'seconds',
    fallback: 1800,
    min: 1,
    max: 86_400,
  }),
  inquiryMaxRetries: integer({
    variable: 'INQUIRY_MAX_RETRIES',
    about: 'How often one that failed is tried again. An endpoint that is away, or has no time, counts as nothing.',
    unit: 'times',
    fallback: 3,
    max: 100,
  }),
  inquiryRetryIntervals: seconds({
    variable: 'INQUIRY_RETRY_INTERVALS',
    about: 'Pauses before each of these.',
    fallback: '5,30,120',
  }),
} as const
