import { Readable } from 'node:stream'

import { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import { spokenWavHeader } from '../../infra/speech/audio/signal/wav-header.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badToken, failure, badQuery, takesNothing } from '../wire.ts'
import type { SpeechPorts } from './ports.ts'
import { contentTypes, voicePath, voicesBody } from './schemas.ts'
import { yieldOnce, spokenBytes } from './speak.ts'

const samples: Readonly<Record<string, string>> = {
  hi: 'नमस्ते! मैं आपकी सहायता के लिए तैयार हूँ। बताइए, आज क्या करना है?',
  ta: 'வணக்கம்! நான் உங்களுக்கு உதவ தயாராக இருக்கிறேன். இன்று என்ன செய்ய வேண்டும்?',
  en: 'Hello! I am ready to help you. What would you like to do today?',
}

export function voiceRoutes(ports: SpeechPorts): Route[] {
  return [listVoices(ports), voiceSample(ports)]
}

function listVoices(ports: SpeechPorts): Route {
  return route({
    method: 'get',
    path: '/v1/voices',
    id: 'listVoices',
    summary: 'List the voices',
    description: 'Every voice with its language, what makes it, other names for it, and where to hear it.',
    access: 'user',
    ...takesNothing,
    responses: {
      200: { description: 'The voices.', schema: voicesBody },
      400: badQuery,
      401: badToken,
    },
    async handle() {
      const engine = await ports.engineName()
      const data = ports.voices.list().map((voice) => ({
        ...voice,
        engine,
        aliases: ports.aliasesOf(voice.id),
        sample_url: `/v1/voices/${encodeURIComponent(voice.id)}/sample`,
      }))
      return { status: 200, body: { object: 'list', data } }
    },
  })
}

function voiceSample(ports: SpeechPorts): Route {
  const sampleOf = keptSamples(ports)
  return route({
    method: 'get',
    path: '/v1/voices/{voice_id}/sample',
    id: 'voiceSample',
    summary: 'Hear a voice',
    description: 'A sentence in the voice’s own language, as WAV. It needs no token, so that a page can play it.',
    access: 'public',
    params: voicePath,
    query: z.strictObject({}),
    responses: {
      200: {
        description: 'The sample.',
        contentType: contentTypes.wav,
        schema: z.string().meta({ format: 'binary' }),
      },
      400: badQuery,
      404: { description: 'There is no such voice.', schema: failure },
      503: { description: 'The voices are busy; see Retry-After.', schema: failure },
    },
    async handle({ params }) {
      const voice = ports.voices.find(params.voice_id)
      if (!voice) throw terminal('not_found', 'There is no such voice; GET /v1/voices lists them.')
      const bytes = await sampleOf(voice.id, voice.language)
      return {
        status: 200,
        body: Readable.from([bytes], { objectMode: false }),
        headers: {
          'Content-Type': contentTypes.wav,
          'Content-Length': String(bytes.length),
          'Cache-Control': 'public, max-age=3600',
        },
      }
    },
  })
}

/** Each is made once and kept: there are as many as there are voices, so that nobody can make us work by asking. */
function keptSamples(ports: SpeechPorts): (id: string, language: string) => Promise<Buffer> {
  const kept = new Map<string, Promise<Buffer>>()

  async function make(id: string, language: string): Promise<Buffer> {
    const options = { voice: id, signal: new AbortController().signal }
    const chunks: Uint8Array[] = []
    const clauses = ports.voices.speak(yieldOnce(samples[language] ?? samples['en']!), options)
    for await (const chunk of spokenBytes(ports, 'pcm', clauses)) chunks.push(chunk)
    const audio = Buffer.concat(chunks)
    return Buffer.concat([spokenWavHeader(audio.length), audio])
  }

  return (id, language) => {
    const known = kept.get(id)
    if (known) return known
    const making = make(id, language)
    kept.set(id, making)
    making.catch(() => kept.delete(id))
    return making
  }
}
