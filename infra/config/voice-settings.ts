import { choice, flag, integer, text } from './kinds.ts'

/** The voices of `vaak say`, of the speech endpoint and of realtime sessions. */
export const voiceSettings = {
  ttsEngine: choice({
    variable: 'TTS_ENGINE',
    about: '`neural` (Kokoro), `light` (espeak-ng), or `auto`: neural where it is fetched and the machine fast enough.',
    allowed: ['auto', 'neural', 'light'],
    fallback: 'auto',
  }),
  ttsFetch: flag({
    variable: 'TTS_FETCH',
    about:
      'Whether `vaak up` fetches the neural voice in the background (180 MB, once), on a machine with at least 4 GB of memory. Until then, and without it, all voices are light.',
    fallback: true,
  }),
  voicesFile: text({
    variable: 'VOICES_FILE',
    about: 'A JSON file with voices of your own, beside the twelve; empty when there is none.',
    fallback: '',
  }),
  speechMaxCharacters: integer({
    variable: 'SPEECH_MAX_CHARACTERS',
    about: 'Longest text of one request to the speech endpoint.',
    unit: 'characters',
    fallback: 4_096,
    min: 1,
    max: 100_000,
  }),
  speechMaxConcurrent: integer({
    variable: 'SPEECH_MAX_CONCURRENT',
    about: 'Texts that one gateway speaks at the same time; more are asked to come back.',
    unit: 'requests',
    fallback: 8,
    min: 1,
    max: 1_000,
  }),
  speechMaxPerUser: integer({
    variable: 'SPEECH_MAX_PER_USER',
    about: 'How many of these may be of one user.',
    unit: 'requests',
    fallback: 4,
    min: 1,
    max: 1_000,
  }),
}
