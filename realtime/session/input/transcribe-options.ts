import type { Transcribing } from '../settings/settings.ts'

/** How a session wants its turns transcribed, as the listener is told it. */
export function transcribeOptions(transcription: Transcribing | null) {
  const language = transcription?.language ?? onlyOne(transcription?.languages)
  return {
    ...(language === undefined ? {} : { language }),
    ...(transcription?.prompt === undefined ? {} : { prompt: transcription.prompt }),
    ...(transcription?.keywords === undefined ? {} : { keywords: transcription.keywords }),
  }
}

function onlyOne(languages: readonly string[] | undefined): string | undefined {
  return languages?.length === 1 ? languages[0] : undefined
}
