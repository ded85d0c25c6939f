import type { Owner } from '../../actors/ids.ts'
import { RealtimeClient } from '../client.ts'
import type { ClientPorts } from '../client.ts'
import { ending, errorEvent } from '../close.ts'
import type { Admitted } from '../connect/admit.ts'
import type { Line, SocketLimits } from '../socket.ts'
import type { Codec } from './codec.ts'
import { IncomingAudio } from './incoming-audio.ts'
import type { CallOffer } from './offer.ts'
import { OutgoingAudio } from './outgoing-audio.ts'
import type { answerOffer, CallAddress, Peer } from './peer.ts'

export interface CallPorts extends ClientPorts {
  readonly address: CallAddress
  readonly limits: SocketLimits
  /** How long a client may take from its answer to the first packet of media. */
  readonly connectMs: number
  /** Its session has begun. */
  begun(client: RealtimeClient): void
  /** It is over, and everything of it is given back. */
  ended(call: VoiceCall): void
}

interface CallInput {
  readonly id: string
  readonly admitted: Admitted
  readonly codec: Codec
}

const tooLong = ending('internal_error', 'An event was longer than the data channel carries, and was left out.')
const lookMs = 20
/** The last event must be under way before its channel is closed, and that before the connection is cut. */
const lingerMs = 250

/** WebRTC takes half a second of processor time to load: a server takes its first sessions before it has that. */
export function loadPeers(): Promise<{ readonly answerOffer: typeof answerOffer }> {
  return import('./peer.ts')
}

/** One client from its offer to the end of its connection: events go over a data channel, audio beside it. */
export class VoiceCall {
  readonly id: string
  readonly owner: Owner
  readonly client: RealtimeClient
  readonly #ports: CallPorts
  readonly #codec: Codec
  readonly #incoming: IncomingAudio
  readonly #outgoing: OutgoingAudio
  readonly #connecting: NodeJS.Timeout
  #looking: NodeJS.Timeout | undefined
  #lingering: NodeJS.Timeout | undefined
  #peer: Peer | undefined
  #isHungUp = false
  #phase: 'connecting' | 'open' | 'ending' | 'over' = 'connecting'

  constructor(ports: CallPorts, { id, admitted, codec }: CallInput) {
    const { clock } = ports
    this.id = id
    this.owner = admitted.principal.owner
    this.client = new RealtimeClient(Promise.resolve({ admitted }), ports)
    this.#ports = ports
    this.#codec = codec
    this.#incoming = new IncomingAudio({ decoder: codec.decoder, hear: (pcm) => this.client.hear(pcm) })
    this.#outgoing = new OutgoingAudio({
      encoder: codec.encoder,
      clock,
      send: (packet) => this.#peer?.sendAudio(packet),
      tell: (type, responseId) =>
        this.#peer?.send(JSON.stringify({ type, event_id: ports.newId('event'), response_id: responseId })),
    })
    this.#connecting = setTimeout(() => this.end(), ports.connectMs)
  }

  get isConnecting(): boolean {
    return this.#phase === 'connecting'
  }

  /** The answer to its offer. */
  async answer({ sdp, session }: CallOffer): Promise<string> {
    const peers = await loadPeers()
    const peer = await peers.answerOffer(sdp, this.#ports.address, {
      connected: () => this.#begin(session),
      packetCame: (packet) => {
        if (this.#phase === 'open') this.#incoming.take(packet, this.#ports.clock.elapsedMs())
      },
      messageCame: (message) => this.#receive(message),
      gone: () => this.end(),
    })
    this.#peer = peer
    // whoever asked may have left while it was made
    if (this.#phase === 'over') peer.close()
    return peer.answer
  }

  hangUp(): void {
    this.#isHungUp = true
    if (this.#phase === 'connecting') this.end()
    else this.#linger()
  }

  /** However it ends: nothing runs on for a client that is gone. */
  end(): void {
    if (this.#phase === 'over') return
    const hasBegun = this.#phase !== 'connecting'
    this.#phase = 'over'
    clearTimeout(this.#connecting)
    clearTimeout(this.#lingering)
    clearInterval(this.#looking)
    if (hasBegun) this.client.closed(this.#isHungUp)
    else this.#ports.doors.places.give(this.owner)
    this.#peer?.close()
    this.#codec.close()
    this.#ports.ended(this)
  }

  #begin(session: object | undefined): void {
    if (this.#phase !== 'connecting') return
    this.#phase = 'open'
    clearTimeout(this.#connecting)
    this.#looking = setInterval(() => this.#look(), lookMs)
    void this.client.open(this.#line(), this.#ports.limits, this.#outgoing)
    this.#ports.begun(this.client)
    if (session) this.#receive(JSON.stringify({ type: 'session.update', session }))
  }

  #line(): Line {
    return {
      cork: (run) => run(),
      send: (event) => {
        if (this.#peer?.send(event) === false) this.#peer.send(errorEvent(tooLong, this.#ports.newId('event')))
      },
      getBufferedAmount: () => this.#peer?.unsentBytes ?? 0,
      end: () => this.#linger(),
    }
  }

  #linger(): void {
    if (this.#phase !== 'open') return
    this.#phase = 'ending'
    clearInterval(this.#looking)
    this.#lingering = setTimeout(() => {
      this.#peer?.closeEvents()
      this.#lingering = setTimeout(() => this.end(), lingerMs)
    }, lingerMs)
  }

  #look(): void {
    this.#incoming.look(this.#ports.clock.elapsedMs())
    this.#outgoing.look()
  }

  #receive(message: string | Buffer): void {
    if (this.#phase !== 'open') return
    if (typeof message === 'string') this.client.receive(message)
    else this.client.receiveBinary(message.length)
  }
}
