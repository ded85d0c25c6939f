import { z } from 'zod'

import { speechFormats } from '../../actors/conversation/ports.ts'
import type { SpeechFormat } from '../../actors/conversation/ports.ts'
import { eventText } from '../events/event-stream.ts'

export const contentTypes: Readonly<Record<SpeechFormat, string>> = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg; codecs=opus',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  pcm: 'audio/pcm;rate=24000;channels=1',
}

const voiceNameMax = 64
const modelNameMax = 128
const instructionsMax = 4_096

const voiceName = z.string().min(1).max(voiceNameMax)

export function speechBody(charactersMax: number) {
  const body = z.strictObject({
    model: z
      .string()
      .max(modelNameMax)
      .optional()
      .describe('Accepted for compatibility; the engine is the operator’s choice.'),
    input: z
      .string()
      .min(1)
      .max(charactersMax, `the text has more than ${charactersMax} characters, which is the limit; send it in parts`)
      .describe(`What to say, in Hindi, Tamil, English or a mixture; at most ${charactersMax} characters.`),
    voice: z.union([voiceName, z.strictObject({ id: voiceName })]).describe('A voice’s id, or one of its aliases.'),
    response_format: z.enum(speechFormats).default('mp3').describe('pcm is 16-bit, mono, 24 kHz, little-endian.'),
    speed: z.number().min(0.25).max(4).default(1),
    instructions: z.string().max(instructionsMax).optional().describe('Accepted for compatibility; not used.'),
    stream_format: z
      .enum(['audio', 'sse', 'json'])
      .default('audio')
      .describe(
        'How the audio comes, each as it is made, clause by clause. `audio`: by itself. `sse`: as OpenAI’s events, with `speech.audio.words` besides, which says when each word is heard. `json`: as one object, with the times of all words.',
      ),
  })
  return body.meta({ examples: [{ input: 'नमस्ते, कल 10:30 बजे meeting है।', voice: 'asha', response_format: 'wav' }] })
}

const timedWord = z.strictObject({
  text: z.string().describe('As it was written, with its punctuation.'),
  start: z.number().describe('In seconds from the beginning of the audio.'),
  end: z.number(),
})

export const speechWithTimes = z
  .strictObject({
    audio: z.string().describe('All of the audio, in base64.'),
    format: z.enum(speechFormats),
    duration: z.number().describe('In seconds.'),
    words: z.array(timedWord).describe('As many as the text has, in its order.'),
  })
  .meta({
    id: 'SpeechWithTimes',
    examples: [
      {
        audio: 'SUQzBAAAAAAAI1RTU0UAAAAPAAADTGF2ZjYx',
        format: 'mp3',
        duration: 1.24,
        words: [
          { text: 'नमस्ते,', start: 0.015, end: 0.51 },
          { text: 'आशा।', start: 0.66, end: 0.94 },
        ],
      },
    ],
  })

export const speechEvents = z
  .string()
  .describe(
    '`speech.audio.words` with `words`, before the `speech.audio.delta` with their `audio` in base64, and at the end `speech.audio.done` with the `duration`.',
  )
  .meta({
    examples: [
      [
        { type: 'speech.audio.words', words: [{ text: 'नमस्ते', start: 0.05, end: 0.62 }] },
        { type: 'speech.audio.delta', audio: 'SUQzBAA=' },
        { type: 'speech.audio.done', duration: 0.81 },
      ]
        .map((data) => eventText({ event: data.type, data }))
        .join(''),
    ],
  })

const voiceBody = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    gender: z.enum(['female', 'male']),
    language: z.string().describe('`hi`, `ta` or `en`: what it is made for. Every voice speaks all three.'),
    engine: z.enum(['neural', 'light']),
    aliases: z.array(z.string()).describe('Other names that mean this voice.'),
    sample_url: z.string(),
  })
  .meta({ id: 'Voice' })

export const voicesBody = z.strictObject({ object: z.literal('list'), data: z.array(voiceBody) }).meta({ id: 'Voices' })

export const voicePath = z.strictObject({ voice_id: voiceName.describe('An id from `GET /v1/voices`.') })
