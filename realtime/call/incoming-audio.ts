import type { OpusDecoderHandle } from 'libopus-wasm'

import { createBucket } from '../../actors/bucket.ts'
import { spokenRate } from '../../actors/conversation/ports.ts'
import { PacketOrder } from './packet-order.ts'
import type { AudioPacket, OrderedPacket } from './packet-order.ts'

interface IncomingPorts {
  readonly decoder: Pick<OpusDecoderHandle, 'decode' | 'decodePacketLoss'>
  /** The array is good until the next call. */
  readonly hear: (pcm: Int16Array) => void
}

const frameSamples = spokenRate / 50
/** Browsers send 50 a second. */
const packetsPerSecond = 200
const packetsAtOnce = 400
/** After so long without a packet there is silence in place of audio: a turn ends also where the microphone is gone. */
const quietAfterMs = 200

/** Packets of one client, in any order and with gaps, become audio without any. */
export class IncomingAudio {
  readonly #ports: IncomingPorts
  readonly #order = new PacketOrder()
  readonly #allowed = createBucket(packetsAtOnce, packetsPerSecond)
  readonly #silence = new Int16Array(frameSamples)
  /** Undefined before the first packet. */
  #heardToMs: number | undefined
  #lastMs = 0

  constructor(ports: IncomingPorts) {
    this.#ports = ports
  }

  take(packet: AudioPacket, nowMs: number): void {
    if (!this.#allowed.take(1, nowMs)) return
    this.#lastMs = nowMs
    this.#heardToMs = nowMs
    this.#decodeAll(this.#order.push(packet, nowMs))
  }

  /** Called again and again, as long as the call lasts. */
  look(nowMs: number): void {
    this.#decodeAll(this.#order.look(nowMs))
    if (this.#heardToMs === undefined || nowMs - this.#lastMs < quietAfterMs) return
    for (; this.#heardToMs + 20 <= nowMs; this.#heardToMs += 20) this.#ports.hear(this.#silence)
  }

  #decodeAll(packets: readonly OrderedPacket[]): void {
    for (const packet of packets) {
      const pcm = this.#decode(packet)
      if (pcm) this.#ports.hear(pcm)
    }
  }

  /** What is no Opus is as good as lost. */
  #decode(packet: OrderedPacket): Int16Array | undefined {
    const { decoder } = this.#ports
    try {
      if (packet.type === 'came') return decoder.decode(packet.payload)
      if (packet.next) return decoder.decode(packet.next, { decodeFec: true, frameSize: frameSamples })
    } catch {
      // made up for below
    }
    return decoder.decodePacketLoss(frameSamples)
  }
}
