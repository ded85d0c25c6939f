import { MediaStreamTrack, RTCPeerConnection, RTCRtpCodecParameters, RtpHeader, RtpPacket } from 'werift'
import type { RTCDataChannel } from 'werift'

import { retryable, terminal } from '../../actors/failure.ts'
import type { AudioPacket } from './packet-order.ts'

/** Where calls are reached. */
export interface CallAddress {
  /** UDP ports from which each call takes one for each host; absent: any that are free. */
  readonly ports?: { readonly from: number; readonly to: number } | undefined
  /** Addresses that clients are told; none: those of this machine. */
  readonly hosts: readonly string[]
}

interface PeerEvents {
  /** Media flows: events too, where the client has a channel for them. */
  connected(): void
  packetCame(packet: AudioPacket): void
  messageCame(message: string | Buffer): void
  /** It is over, from the other side or by itself. */
  gone(): void
}

/** The other end of a call: one connection with audio both ways and a channel of events. */
export interface Peer {
  /** SDP, for the client. */
  readonly answer: string
  /** False when it is longer than the client takes. */
  send(event: string): boolean
  sendAudio(packet: { readonly payload: Uint8Array; readonly timestamp: number; readonly isFirst: boolean }): void
  /** Bytes of events that are not under way yet. */
  readonly unsentBytes: number
  /** The client sees the channel of events close, in order. */
  closeEvents(): void
  close(): void
}

const opus = new RTCRtpCodecParameters({
  mimeType: 'audio/opus',
  clockRate: 48_000,
  channels: 2,
  parameters: 'minptime=10;useinbandfec=1',
})
const sequences = 65_536
/** Of one event from the client, as the answer tells it; browsers send no longer ones by default. */
const messageMaxBytes = 256 * 1024
/** More records than a handshake of DTLS has. */
const handshakeRecords = 64

/** Answers an offer. Rejects when it is not understood, or no port is free. */
export async function answerOffer(offer: string, address: CallAddress, events: PeerEvents): Promise<Peer> {
  const connection = new RTCPeerConnection(configFor(address))
  const track = new MediaStreamTrack({ kind: 'audio' })
  let channel: RTCDataChannel | undefined
  const hasChannel = /^m=application /m.test(offer)
  connection.onTrack.subscribe((heard) =>
    heard.onReceiveRtp.subscribe(({ header, payload }) =>
      events.packetCame({ sequence: header.sequenceNumber, payload }),
    ),
  )
  connection.onDataChannel.subscribe((opened) => {
    if (channel) return
    channel = opened
    opened.onMessage.subscribe((message) => events.messageCame(message))
    opened.stateChange.subscribe((state) => {
      if (state === 'open') events.connected()
      if (state === 'closed') events.gone()
    })
    if (opened.readyState === 'open') events.connected()
  })
  connection.connectionStateChange.subscribe((state) => {
    if (state === 'connected' && !hasChannel) events.connected()
    if (state === 'failed' || state === 'closed' || state === 'disconnected') events.gone()
  })
  const answer = await negotiate(connection, withoutCandidates(offer), track).catch(async (error: unknown) => {
    await closeConnection(connection)
    throw error
  })
  let sequence = 0
  return {
    answer,
    send(event) {
      if (channel?.readyState !== 'open') return true
      try {
        channel.send(event)
        return true
      } catch {
        return false
      }
    },
    sendAudio({ payload, timestamp, isFirst }) {
      sequence = (sequence + 1) % sequences
      const header = new RtpHeader({ sequenceNumber: sequence, timestamp: timestamp >>> 0, marker: isFirst })
      track.writeRtp(new RtpPacket(header, Buffer.from(payload)))
    },
    get unsentBytes() {
      return channel?.bufferedAmount ?? 0
    },
    closeEvents: () => channel?.close(),
    close: () => void closeConnection(connection),
  }
}

/** Tells the other side first: werift itself cuts the way there before it says that it ends. */
async function closeConnection(connection: RTCPeerConnection): Promise<void> {
  await connection.sctpTransport?.stop()
  await connection.close()
}

/**
 * A client is answered at the address that it came from. That it might name others in its offer is of no use to it: it could
 * only make this server send to places that the client does not reach itself.
 */
function withoutCandidates(offer: string): string {
  return offer.replaceAll(/^a=(?:candidate|end-of-candidates|remote-candidates).*\r?\n/gm, '')
}

async function negotiate(connection: RTCPeerConnection, offer: string, track: MediaStreamTrack): Promise<string> {
  try {
    await connection.setRemoteDescription({ type: 'offer', sdp: offer })
    askNobody(connection)
    letClientBeginHandshake(connection, offer)
    numberRecordsOn(connection)
    const [transceiver] = connection.getTransceivers()
    if (!transceiver) throw terminal('invalid_request', 'The offer has no audio.')
    transceiver.setDirection('sendrecv')
    await transceiver.sender.replaceTrack(track)
    await connection.setLocalDescription(await connection.createAnswer())
  } catch {
    throw terminal('invalid_request', 'The offer (SDP) is not understood.')
  }
  const answer = connection.localDescription?.sdp ?? ''
  if (!/^a=candidate:/m.test(answer)) throw retryable('overloaded', 'No UDP port is free for a call. Try again later.')
  return answer
}

/**
 * The client greets first in the handshake of DTLS, unless it offers only to be greeted. werift in that role gives up when its
 * greeting is answered twice, which is what happens when either side is busy for half a second, and it waits 100 ms first.
 */
function letClientBeginHandshake({ dtlsTransports }: Pick<RTCPeerConnection, 'dtlsTransports'>, offer: string): void {
  if (/^a=setup:passive\r?$/m.test(offer)) return
  for (const transport of dtlsTransports) transport.role = 'server'
}

/**
 * werift begins to count again after the handshake, whose last record has the keys of all that follow: one of the first events had that record's number, too. The
 * client drops it as a repetition and gets it a second later; and two records that are sealed with one key under one number give away both (RFC 5288). Numbers may
 * be left out.
 */
function numberRecordsOn({ dtlsTransports }: Pick<RTCPeerConnection, 'dtlsTransports'>): void {
  for (const transport of dtlsTransports)
    transport.onStateChange.subscribe((state) => {
      if (state === 'connected' && transport.dtls) transport.dtls.dtls.recordSequenceNumber += handshakeRecords
    })
}

/** Where no server is named that tells an address to who asks, werift asks one of Google's: its addresses are known here. */
export function askNobody({ iceTransports }: Pick<RTCPeerConnection, 'iceTransports'>): void {
  for (const { connection } of iceTransports) delete connection.stunServer
}

function configFor({ ports, hosts }: CallAddress): ConstructorParameters<typeof RTCPeerConnection>[0] {
  const areGiven = hosts.length > 0
  return {
    codecs: { audio: [opus], video: [] },
    headerExtensions: { audio: [], video: [] },
    bundlePolicy: 'max-bundle',
    iceServers: [],
    iceUseIpv4: !areGiven,
    iceUseIpv6: !areGiven,
    iceAdditionalHostAddresses: [...hosts],
    icePortRange: ports && [ports.from, ports.to],
    maxMessageSize: messageMaxBytes,
  }
}
