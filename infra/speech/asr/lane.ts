import { workerData } from 'node:worker_threads'

import { z } from 'zod'

import { serveThread } from '../threads/serve.ts'
import type { MoonshineOptions } from './moonshine/moonshine.ts'
import { openMoonshine } from './moonshine/moonshine.ts'
import type { Recogniser } from './recogniser.ts'
import type { WhisperOptions } from './whisper/whisper.ts'
import { openWhisper } from './whisper/whisper.ts'

/** The options are our own, cloned from the thread that made them: only their kind is looked at. */
const laneSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('whisper'), options: z.custom<WhisperOptions>((value) => typeof value === 'object') }),
  z.object({ kind: z.literal('moonshine'), options: z.custom<MoonshineOptions>((value) => typeof value === 'object') }),
])
const requestSchema = z.union([
  z.literal('describe'),
  z.object({
    clips: z.array(z.instanceof(Float32Array)),
    language: z.string().optional(),
    hotwords: z.array(z.string()).optional(),
  }),
])

await serveThread(async () => {
  const recogniser = await open()
  return async (message, signal) => {
    const request = requestSchema.parse(message)
    if (request === 'describe') return { languages: recogniser.languages, windowSeconds: recogniser.windowSeconds }
    const { clips, language, hotwords } = request
    return recogniser.transcribe(clips, {
      signal,
      ...(language === undefined ? {} : { language }),
      ...(hotwords === undefined ? {} : { hotwords }),
    })
  }
})

function open(): Promise<Recogniser> {
  const lane = laneSchema.parse(workerData)
  return lane.kind === 'whisper' ? openWhisper(lane.options) : openMoonshine(lane.options)
}
