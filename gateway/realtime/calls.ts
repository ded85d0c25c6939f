import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'

import { z } from 'zod'

import { away } from '../../actors/failure.ts'
import type { Log } from '../../actors/ports.ts'
import { compatibleFailure, explainCompatibly } from '../compatible/problem.ts'
import { route } from '../route.ts'
import type { Answer, Request, Route } from '../route.ts'
import { takesNothing } from '../wire.ts'
import { readPassedAnswer } from './passed-answer.ts'
import type { PassedAnswer } from './passed-answer.ts'
import { passedHeaders } from './passed-headers.ts'
import { askRealtime } from './place.ts'
import type { RealtimePlace } from './place.ts'

interface CallPorts {
  readonly place: RealtimePlace
  readonly log: Log
}

/** The same as there: what it would refuse does not go there. */
const offerMaxBytes = 256 * 1024
const answerMaxBytes = 256 * 1024

interface CallLimits {
  /** How long the realtime server may take to answer. */
  readonly answerMs: number
}

const callLimits: CallLimits = { answerMs: 10_000 }

const offer = z
  .string()
  .describe('The offer of a browser or of another program that speaks WebRTC.')
  .meta({ examples: [exampleOf('actpass')] })
const offerForm = z
  .looseObject({
    sdp: z.string().describe('The offer.'),
    session: z.string().optional().describe('What the session begins with, in JSON, as in `session.update`.'),
  })
  .meta({ examples: [{ sdp: exampleOf('actpass'), session: '{"type":"realtime","model":"vaak-realtime"}' }] })
const answer = z.string().meta({ examples: [exampleOf('passive')] })
const resume = z
  .string()
  .optional()
  .describe('The id of a session that was cut off, to go on with it.')
  .meta({ examples: ['sess_4xKq0TnVb2LwYs7RcDe1A'] })
const callId = z
  .string()
  .regex(/^rtc_\w{1,64}$/)
  .describe('The last part of the `Location` with which the call was answered.')

/** As long as it must be to be understood, and no longer. */
function exampleOf(setup: 'actpass' | 'passive'): string {
  return [
    'v=0',
    'o=- 4611 2 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=group:BUNDLE 0 1',
    'm=audio 9 UDP/TLS/RTP/SAVPF 111',
    'c=IN IP4 0.0.0.0',
    'a=mid:0',
    'a=sendrecv',
    'a=rtcp-mux',
    'a=rtpmap:111 opus/48000/2',
    'a=ice-ufrag:Bq7x',
    'a=ice-pwd:0123456789abcdefghijklmn',
    `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => '5A').join(':')}`,
    `a=setup:${setup}`,
    'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
    'c=IN IP4 0.0.0.0',
    'a=mid:1',
    'a=sctp-port:5000',
    '',
  ].join('\r\n')
}

function refusals(described: Readonly<Record<number, string>>): Route['responses'] {
  const all = Object.entries({ 401: 'The token is missing or invalid.', ...described })
  return Object.fromEntries(all.map(([status, description]) => [status, { description, schema: compatibleFailure }]))
}

const offering = {
  method: 'post',
  access: 'user',
  takesSecrets: true,
  explain: explainCompatibly,
  body: {
    contentType: 'application/sdp',
    schema: offer,
    otherwise: { 'multipart/form-data': offerForm },
    description: 'The offer, by itself or with what the session begins with.',
    maxBytes: offerMaxBytes,
  },
  responses: {
    201: {
      description: 'The answer, which the client takes as its remote description; `Location` names the call.',
      contentType: 'application/sdp',
      schema: answer,
    },
    ...refusals({
      400: 'The offer or the settings of the session are not understood.',
      403: 'The key lacks the scope `realtime`, or the page is of an origin that `CORS_ORIGINS` does not list.',
      404: 'You have no such session to go on with.',
      408: 'The body arrived too slowly.',
      413: 'The body is larger than 256 KiB.',
      415: 'The body is neither SDP nor a form.',
      429: 'You have as many sessions as you may, or ask too often.',
      503: 'The realtime server is away, or has no room.',
    }),
  },
} as const

/** Calls are asked for here and held by the realtime server: text goes there and back, and audio never comes by. */
export function callRoutes(given: CallPorts, limits: CallLimits = callLimits): Route[] {
  const ports = { ...given, ...limits }
  return [
    route({
      ...takesNothing,
      ...offering,
      query: z.strictObject({ resume }),
      path: '/v1/realtime/calls',
      id: 'openCall',
      summary: 'Call over WebRTC',
      description:
        'Opens a session whose audio is Opus over UDP and whose events go over the data channel `oai-events`. An ephemeral token (`ek_…`) does, as a token or an API key.',
      handle: ({ raw, body }) => passOn(raw, body, ports),
    }),
    route({
      ...takesNothing,
      ...offering,
      query: z.strictObject({ model: z.string().optional().describe('Such as `vaak-realtime`.'), resume }),
      path: '/v1/realtime',
      id: 'openOlderCall',
      summary: 'Call over WebRTC (older clients)',
      description: 'The same, where older clients ask for it. Sessions over WebSocket have this address too.',
      handle: ({ raw, body }) => passOn(raw, body, ports),
    }),
    route({
      ...takesNothing,
      method: 'post',
      path: '/v1/realtime/calls/{call_id}/hangup',
      params: z.strictObject({ call_id: callId }),
      id: 'hangUpCall',
      summary: 'End a call',
      description: 'By the user who opened it, and not with an ephemeral token.',
      access: 'user',
      explain: explainCompatibly,
      responses: {
        200: { description: 'It is over.', schema: z.strictObject({}) },
        ...refusals({
          400: 'A query parameter is wrong.',
          404: 'You have no such call here; it may have ended.',
          503: 'The realtime server is away.',
        }),
      },
      handle: ({ raw }) => passOn(raw, '', ports),
    }),
  ]
}

/** It decides, and is believed; who asks was looked at here too. */
async function passOn(
  { request, response }: Request['raw'],
  body: string,
  ports: CallPorts & CallLimits,
): Promise<Answer> {
  const leaving = new AbortController()
  response.once('close', () => leaving.abort())
  const passed = await ask(request, body, { ...ports, signal: leaving.signal }).catch((error: unknown) => {
    if (!leaving.signal.aborted) ports.log.warn('call not passed on', { error })
    throw away('realtime_unavailable', 'The realtime server does not answer. Try again.')
  })
  const { status, text, contentType, location } = passed
  const headers = { 'Content-Type': contentType, ...(location !== undefined && { Location: location }) }
  return { status, body: text, headers }
}

async function ask(
  { url, headers }: IncomingMessage,
  body: string,
  { place, answerMs, signal }: CallPorts & CallLimits & { readonly signal: AbortSignal },
): Promise<PassedAnswer> {
  const bytes = Buffer.from(body)
  const type = headers['content-type']
  const asking = askRealtime(place, {
    method: 'POST',
    path: url,
    headers: {
      ...passedHeaders(headers),
      ...(type !== undefined && { 'content-type': type }),
      'content-length': bytes.length,
    },
    timeout: answerMs,
    signal,
  })
  asking.once('timeout', () => asking.destroy(new Error('the realtime server did not answer in time')))
  asking.end(bytes)
  const [answered] = (await once(asking, 'response')) as [IncomingMessage] // as: node's `response` has nothing else
  return readPassedAnswer(answered, answerMaxBytes)
}
