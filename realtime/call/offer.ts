import uws from 'uWebSockets.js'

import { terminal } from '../../actors/failure.ts'

/** What a client asks for a call with. */
export interface CallOffer {
  readonly sdp: string
  /** Settings that its session begins with, as in `session.update`. */
  readonly session: object | undefined
}

/** By its own content type, or as a part `sdp` beside a part `session`. */
export function readOffer(body: Buffer, contentType: string): CallOffer {
  const [type = ''] = contentType.toLowerCase().split(';', 1)
  if (type.trim() === 'application/sdp') return { sdp: checkSdp(textOf(body)), session: undefined }
  if (type.trim() !== 'multipart/form-data')
    throw terminal('unsupported_media', 'Send the offer as application/sdp, or as multipart/form-data with a part sdp.')
  const parts = uws.getParts(body, contentType) ?? []
  const part = (name: string) => parts.find((one) => one.name === name)
  const sdp = part('sdp')
  if (!sdp) throw terminal('invalid_request', 'The body has no part sdp.')
  const session = part('session')
  return { sdp: checkSdp(textOf(Buffer.from(sdp.data))), session: session && settingsIn(Buffer.from(session.data)) }
}

const lineMax = 4_096
const linesMax = 1_000
const mediaMax = 4
const wanted: readonly (readonly [RegExp, string])[] = [
  [/^v=0\r?\n/, 'it does not begin with v=0'],
  [/^m=audio [1-9]\d* UDP\/TLS\/RTP\/SAVPF? /m, 'it has no audio over DTLS-SRTP'],
  [/^a=rtpmap:\d+ opus\/48000/im, 'it has no Opus'],
  [/^a=fingerprint:sha-\d+ [\dA-F:]+/im, 'it has no fingerprint'],
  [/^a=ice-ufrag:\S/m, 'it has no ice-ufrag'],
  [/^a=ice-pwd:\S/m, 'it has no ice-pwd'],
]

function checkSdp(text: string): string {
  const lines = text.split('\n')
  if (lines.length > linesMax || lines.some((line) => line.length > lineMax))
    throw terminal('invalid_request', `The offer has more than ${linesMax} lines, or one of more than ${lineMax}.`)
  if (lines.filter((line) => line.startsWith('m=')).length > mediaMax)
    throw terminal('invalid_request', `The offer has more than ${mediaMax} media.`)
  const missing = wanted.find(([form]) => !form.test(text))
  if (missing) throw terminal('invalid_request', `The body is no offer (SDP) for a call: ${missing[1]}.`)
  return text
}

function settingsIn(body: Buffer): object {
  try {
    const settings: unknown = JSON.parse(textOf(body))
    if (typeof settings === 'object' && settings !== null && !Array.isArray(settings)) return settings
  } catch {
    // said below
  }
  throw terminal('invalid_request', 'The part session is not a JSON object.')
}

function textOf(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    throw terminal('invalid_request', 'The body is not text.')
  }
}
