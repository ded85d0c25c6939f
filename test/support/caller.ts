import { EventEmitter, once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'

import type { ExecutionContext } from 'ava'
import { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters, RtpHeader, RtpPacket } from 'werift'
import type { RTCDataChannel } from 'werift'

import { openCodec } from '../../realtime/call/codec.ts'
import { askNobody } from '../../realtime/call/peer.ts'
import { anEventLog } from './event-log.ts'
import type { EventLog } from './event-log.ts'
import { audioOf } from './realtime-session.ts'

/** A program that calls over WebRTC, as a browser does. */
interface TestCaller {
  readonly log: EventLog
  /** Of the server's answer. */
  readonly location: string
  /** Packets of audio that came. */
  readonly packets: Buffer[]
  /** Each of them, and each event, as it comes. */
  readonly came: EventEmitter<{ packet: [payload: Buffer]; event: [event: Readonly<Record<string, unknown>>] }>
  /** Resolves when the server has ended the call. */
  readonly ended: Promise<void>
  send(event: object): void
  hangUp(): void
  /** 20 ms at 24 kHz. */
  sendFrame(frame: Int16Array): void
  /** So much of a loud tone or of silence, as fast as it can be sent; the packets of these numbers are lost on the way. */
  speak(ms: number, loud: boolean, lost?: (index: number) => boolean): void
}

interface CallerOptions {
  readonly key?: string
  /** Where the offer goes. */
  readonly path?: string
  readonly session?: object
  /** PEM, of whoever vouches for the server; absent: no TLS. */
  readonly ca?: string
  /** Changes what the server answered, before the caller reads it. */
  readonly rewrite?: (answer: string) => Promise<string> | string
}

const opus = new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2 })

/** The type of a message of DTLS. */
const helloVerifyRequest = 3

interface Offering {
  readonly connection: RTCPeerConnection
  readonly offer: string
  readonly channel: RTCDataChannel
  readonly track: MediaStreamTrack
  readonly log: EventLog
  readonly packets: Buffer[]
  readonly came: TestCaller['came']
}

/** Whoever calls is gone in the end, of a test or of something else. */
type Ending = Pick<ExecutionContext, 'teardown'>

/** The offer of a caller that has asked nobody yet. */
export async function anOffer(t: Ending): Promise<Offering> {
  const connection = new RTCPeerConnection({
    codecs: { audio: [opus] },
    bundlePolicy: 'max-bundle',
    iceServers: [],
    iceUseIpv4: false,
    iceUseIpv6: false,
    iceAdditionalHostAddresses: ['127.0.0.1'],
  })
  t.teardown(() => connection.close())
  const track = new MediaStreamTrack({ kind: 'audio' })
  const packets: Buffer[] = []
  const came: TestCaller['came'] = new EventEmitter()
  came.on('packet', (payload) => void packets.push(payload))
  connection
    .addTransceiver(track, { direction: 'sendrecv' })
    .onTrack.subscribe((from) => from.onReceiveRtp.subscribe(({ payload }) => void came.emit('packet', payload)))
  const log = anEventLog()
  const channel = connection.createDataChannel('oai-events')
  channel.onMessage.subscribe((message) => {
    const event = JSON.parse(String(message)) as Record<string, unknown> // as: every event is an object
    log.add(event)
    came.emit('event', event)
  })
  const made = await connection.createOffer()
  askNobody(connection)
  beGreetedTwice(connection)
  await connection.setLocalDescription(made)
  return { connection, channel, track, log, packets, came, offer: connection.localDescription!.sdp }
}

/** A browser lets a second answer to its greeting pass (RFC 6347, 4.2.4); werift gives up, on a machine that is busy. */
function beGreetedTwice({ dtlsTransports }: RTCPeerConnection): void {
  for (const transport of dtlsTransports)
    transport.onStateChange.subscribe((state) => {
      if (state !== 'connecting') return
      // what shakes hands is made right after
      queueMicrotask(() => {
        const hands = transport.dtls
        if (!hands) return
        const take = hands.onHandleHandshakes
        let isGreeted = false
        hands.onHandleHandshakes = (messages) => {
          const isRepeated = isGreeted && messages.every(({ msg_type: type }) => type === helloVerifyRequest)
          isGreeted ||= messages.some(({ msg_type: type }) => type === helloVerifyRequest)
          return isRepeated ? Promise.resolve() : take(messages)
        }
      })
    })
}

export async function aCaller(t: Ending, httpUrl: string, options: CallerOptions = {}): Promise<TestCaller> {
  const offering = await anOffer(t)
  const { connection, channel, track, log, packets, came } = offering
  const answer = await postOffer(httpUrl, offering.offer, options)
  if (answer.status !== 201) throw new Error(`the call was refused: ${answer.status} ${await answer.text()}`)
  const { rewrite = (sdp) => sdp } = options
  await connection.setRemoteDescription({ type: 'answer', sdp: await rewrite(await answer.text()) })
  const ended = new Promise<void>((resolve) => {
    connection.connectionStateChange.subscribe((state) => {
      if (state === 'closed' || state === 'disconnected' || state === 'failed') resolve()
    })
    channel.stateChange.subscribe((state) => {
      if (state === 'closed') resolve()
    })
  })
  const codec = await openCodec()
  t.teardown(() => codec.close())
  let sequence = 60_000
  const sendFrame = (frame: Int16Array, isLost = false): void => {
    sequence = (sequence + 1) % 65_536
    const header = new RtpHeader({ sequenceNumber: sequence, timestamp: sequence * 960, payloadType: 96 })
    const payload = Buffer.from(codec.encoder.encode(frame))
    if (!isLost) track.writeRtp(new RtpPacket(header, payload))
  }
  return {
    log,
    packets,
    came,
    ended,
    location: answer.headers.get('location') ?? '',
    hangUp: () => channel.close(),
    send: (event) => channel.send(JSON.stringify(event)),
    sendFrame: (frame) => sendFrame(frame),
    speak(ms, loud, lost = () => false) {
      const pcm = Buffer.from(audioOf(ms, loud), 'base64')
      for (let at = 0, index = 0; at < pcm.length; at += 960, index += 1) {
        const frame = new Int16Array(480)
        Buffer.from(frame.buffer).set(pcm.subarray(at, at + 960))
        sendFrame(frame, lost(index))
      }
    },
  }
}

export function postOffer(httpUrl: string, sdp: string, options: CallerOptions = {}): Promise<Response> {
  const { key = 'good', path = '/v1/realtime/calls', session, ca } = options
  const headers = { authorization: `Bearer ${key}` }
  if (ca !== undefined) return postSecurely(`${httpUrl}${path}`, { headers, ca, sdp })
  if (!session)
    return fetch(`${httpUrl}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/sdp' },
      body: sdp,
    })
  const form = new FormData()
  form.set('sdp', sdp)
  form.set('session', JSON.stringify(session))
  return fetch(`${httpUrl}${path}`, { method: 'POST', headers, body: form })
}

/** `fetch` asks the system whom to trust, and nobody else. */
async function postSecurely(
  url: string,
  { headers, ca, sdp }: { readonly headers: Record<string, string>; readonly ca: string; readonly sdp: string },
): Promise<Response> {
  const asking = request(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/sdp' },
    ca,
    // its name is none of this address: whose it is was said by handing it over
    checkServerIdentity: () => undefined,
  })
  asking.end(sdp)
  const [answer] = (await once(asking, 'response')) as [IncomingMessage] // as: node's `response` has nothing else
  const location = answer.headers.location ?? ''
  return new Response(await text(answer), { status: answer.statusCode ?? 0, headers: { location } })
}
