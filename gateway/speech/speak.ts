import { Readable } from 'node:stream'

import { z } from 'zod'

import { terminal } from '../../actors/failure.ts'
import { openPlaces } from '../places.ts'
import { route } from '../route.ts'
import type { Route } from '../route.ts'
import { badToken, failure, takesNothing } from '../wire.ts'
import type { SpeechLimits, SpeechPorts } from './ports.ts'
import { contentTypes, speechBody, speechEvents, speechWithTimes } from './schemas.ts'
import { spokenEvents, spokenJson } from './with-times.ts'
import { speechFormats } from '../../actors/conversation/ports.ts'
import type { SpeechFormat } from '../../actors/conversation/ports.ts'

const audio = z.string().meta({ format: 'binary' })
/** Six bytes for a character, as JSON may escape it, and room for the other fields. */
const bytesPerCharacter = 6
const otherBytes = 64 * 1024

/** Whoever has a token may have text spoken, a few at a time. */
export function speechRoute(ports: SpeechPorts, limits: SpeechLimits): Route {
  const places = openPlaces(limits.places, { what: 'answers that are spoken', advice: 'try again shortly' })
  return route({
    method: 'post',
    path: '/v1/audio/speech',
    id: 'speak',
    summary: 'Have text spoken',
    description: `The sound begins when the first clause is ready and follows as fast as it is made and read. Compatible with OpenAI’s endpoint of this name. Text that is still being written is spoken at the WebSocket \`/v1/audio/speech/stream\`. At most ${limits.places.perUser} answers to one user are spoken at the same time, and ${limits.places.all} in all.`,
    access: 'user',
    ...takesNothing,
    body: {
      contentType: 'application/json',
      description: 'The text and how to say it.',
      schema: speechBody(limits.maxCharacters),
      maxBytes: limits.maxCharacters * bytesPerCharacter + otherBytes,
    },
    responses: {
      200: {
        description: 'The sound, in the format asked for.',
        contentType: documented(contentTypes.mp3),
        schema: audio,
        otherwise: {
          ...Object.fromEntries(speechFormats.slice(1).map((format) => [documented(contentTypes[format]), audio])),
          [wrappedTypes.json]: speechWithTimes,
          [wrappedTypes.sse]: speechEvents,
        },
      },
      400: { description: 'There is no such voice, or a field is wrong: the detail says which.', schema: failure },
      401: badToken,
      408: { description: 'The body arrived too slowly.', schema: failure },
      413: { description: 'The body is larger than the text may be.', schema: failure },
      415: { description: 'The body is not JSON.', schema: failure },
      503: { description: 'Too much is being spoken; see Retry-After.', schema: failure },
    },
    async handle({ principal, body, raw }) {
      const voice = ports.voices.find(typeof body.voice === 'string' ? body.voice : body.voice.id)
      if (!voice) throw noSuchVoice(ports)
      const leave = places.take(principal.owner)
      const abort = new AbortController()
      raw.response.once('close', () => abort.abort(new Error('the client went away')))
      const options = { voice: voice.id, speed: body.speed, owner: principal.owner, signal: abort.signal }
      const pronounce = await ports.pronunciations.pronounceFor(principal.owner)
      const clauses = ports.voices.speak(yieldOnce(body.input), { ...options, pronounce })
      const { chunks, contentType } = wrapped(ports, { ...body, clauses })
      const stream = await begun(chunks).catch((error: unknown) => {
        leave()
        // nobody reads this, and it is no bug
        if (abort.signal.aborted) throw terminal('too_slow', 'The client went away before the first word was spoken.')
        throw error
      })
      stream.once('close', () => {
        leave()
        abort.abort(new Error('nobody listens any more'))
      })
      return { status: 200, body: stream, headers: { 'Content-Type': contentType } }
    },
  })
}

/** What audio comes in when it does not come by itself. */
const wrappedTypes = { json: 'application/json', sse: 'text/event-stream' } as const

interface SpokenAnswer {
  readonly stream_format: 'audio' | keyof typeof wrappedTypes
  readonly response_format: SpeechFormat
  readonly clauses: ReturnType<SpeechPorts['voices']['speak']>
}

function wrapped(
  ports: SpeechPorts,
  { stream_format: wrapping, response_format: format, clauses }: SpokenAnswer,
): { readonly chunks: AsyncIterable<Uint8Array | string>; readonly contentType: string } {
  if (wrapping === 'audio') return { chunks: spokenBytes(ports, format, clauses), contentType: contentTypes[format] }
  const write = { json: spokenJson, sse: spokenEvents }[wrapping]
  return { chunks: write(ports, { format, clauses }), contentType: `${wrappedTypes[wrapping]}; charset=utf-8` }
}

/** OpenAPI names types without their parameters. */
function documented(contentType: string): string {
  return contentType.split(';')[0]!
}

export function spokenBytes(
  ports: SpeechPorts,
  format: SpeechFormat,
  clauses: ReturnType<SpeechPorts['voices']['speak']>,
): AsyncIterable<Uint8Array> {
  return ports.encode(format, samplesOf(clauses))
}

export async function* yieldOnce(text: string): AsyncGenerator<string> {
  yield text
}

async function* samplesOf(clauses: ReturnType<SpeechPorts['voices']['speak']>): AsyncGenerator<Int16Array> {
  for await (const { samples } of clauses) yield samples
}

/** Waits for the first bytes, so that what goes wrong before them is answered as a failure and not as a broken stream. */
async function begun(chunks: AsyncIterable<Uint8Array | string>): Promise<Readable> {
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  async function* all(): AsyncGenerator<Uint8Array | string> {
    try {
      for (let chunk = first; chunk.done !== true; chunk = await iterator.next()) yield chunk.value
    } finally {
      await iterator.return?.()
    }
  }
  return Readable.from(all(), { objectMode: false })
}

function noSuchVoice({ voices }: SpeechPorts): Error {
  const known = voices.list().map(({ id }) => id)
  return terminal('invalid_request', `There is no such voice. There are ${known.join(', ')}.`)
}
