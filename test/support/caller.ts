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
  /** Resolves when the server has ended the call. */
  readonly ended: Promise<void>
  send(event: object): void
  hangUp(): void
  /** So much of a loud tone or of silence, as fast as it can be sent; the packets of these numbers are lost on the way. */
  speak(ms: number, loud: boolean, lost?: (index: number) => boolean): void
}

interface CallerOptions {
  readonly key?: string
  /** Where the offer goes. */
  readonly path?: string
  readonly session?: object
  /** Changes what the server answered, before the caller reads it. */
  readonly rewrite?: (answer: string) => Promise<string> | string
}

const opus = new RTCRtpCodecParameters({ mimeType: 'audio/opus', clockRate: 48_000, channels: 2 })

interface Offering {
  readonly connection: RTCPeerConnection
  readonly offer: string
  readonly channel: RTCDataChannel
  readonly track: MediaStreamTrack
  readonly log: EventLog
  readonly packets: Buffer[]
}

/** The offer of a caller that has asked nobody yet. */
export async function anOffer(t: ExecutionContext): Promise<Offering> {
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
  connection
    .addTransceiver(track, { direction: 'sendrecv' })
    .onTrack.subscribe((heard) => heard.onReceiveRtp.subscribe(({ payload }) => void packets.push(payload)))
  const log = anEventLog()
  const channel = connection.createDataChannel('oai-events')
  channel.onMessage.subscribe((message) => log.add(JSON.parse(String(message))))
  const made = await connection.createOffer()
  askNobody(connection)
  await connection.setLocalDescription(made)
  return { connection, channel, track, log, packets, offer: connection.localDescription!.sdp }
}

export async function aCaller(t: ExecutionContext, httpUrl: string, options: CallerOptions = {}): Promise<TestCaller> {
  const offering = await anOffer(t)
  const { connection, channel, track, log, packets } = offering
  const answer = await postOffer(httpUrl, offering.offer, options)
  if (answer.status !== 201) throw new Error(`the call was refused: ${answer.status} ${await answer.text()}`)
  const { rewrite = (text) => text } = options
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
  return {
    log,
    packets,
    ended,
    location: answer.headers.get('location') ?? '',
    hangUp: () => channel.close(),
    send: (event) => channel.send(JSON.stringify(event)),
    speak(ms, loud, lost = () => false) {
      const pcm = Buffer.from(audioOf(ms, loud), 'base64')
      for (let at = 0, index = 0; at < pcm.length; at += 960, index += 1) {
        const frame = new Int16Array(480)
        Buffer.from(frame.buffer).set(pcm.subarray(at, at + 960))
        sequence = (sequence + 1) % 65_536
        const header = new RtpHeader({ sequenceNumber: sequence, timestamp: sequence * 960, payloadType: 96 })
        const payload = Buffer.from(codec.encoder.encode(frame))
        if (!lost(index)) track.writeRtp(new RtpPacket(header, payload))
      }
    },
  }
}

export function postOffer(httpUrl: string, sdp: string, options: CallerOptions = {}): Promise<Response> {
  const { key = 'good', path = '/v1/realtime/calls', session } = options
  const headers = { authorization: `Bearer ${key}` }
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
