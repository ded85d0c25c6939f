/** One packet of audio as it came over the network. */
export interface AudioPacket {
  /** Counts packets, modulo 65,536. */
  readonly sequence: number
  readonly payload: Uint8Array
}

/** What is to be decoded next: a packet, or one that is missing; the packet after it may know a little about it. */
export type OrderedPacket =
  | { readonly type: 'came'; readonly payload: Uint8Array }
  | { readonly type: 'lost'; readonly next: Uint8Array | undefined }

interface OrderLimits {
  /** How long a packet that is missing is waited for, while later ones are here. */
  readonly waitMs: number
  /** Packets that wait; when there are more, the missing one is given up. */
  readonly waiting: number
  /** Missing packets in a row that are made up for; a longer gap is a gap. */
  readonly concealed: number
}

/** Voices wait for no packet longer than a listener would; what comes after its place was taken is late, and left. */
const orderLimits: OrderLimits = { waitMs: 60, waiting: 10, concealed: 10 }

const sequences = 65_536

/**
 * Brings packets into the order in which they were sent. Nobody plays them here, so that a packet in its place is passed on at
 * once, however unevenly they come: only a gap is waited for.
 */
export class PacketOrder {
  readonly #limits: OrderLimits
  readonly #waiting = new Map<number, Uint8Array>()
  #next: number | undefined
  #gapSinceMs = 0

  constructor(limits: OrderLimits = orderLimits) {
    this.#limits = limits
  }

  push({ sequence, payload }: AudioPacket, nowMs: number): OrderedPacket[] {
    this.#next ??= sequence
    const ahead = distance(this.#next, sequence)
    if (ahead < 0 || this.#waiting.has(sequence)) return []
    if (this.#waiting.size === 0) this.#gapSinceMs = nowMs
    this.#waiting.set(sequence, payload)
    return this.look(nowMs)
  }

  /** What may be decoded by now; also when nothing came. */
  look(nowMs: number): OrderedPacket[] {
    const ordered = this.#inPlace()
    while (this.#waiting.size > 0 && this.#isWaitOver(nowMs)) ordered.push(...this.#giveUp(), ...this.#inPlace())
    if (ordered.length > 0) this.#gapSinceMs = nowMs
    return ordered
  }

  #inPlace(): OrderedPacket[] {
    const found: OrderedPacket[] = []
    for (let payload = this.#take(); payload; payload = this.#take()) found.push({ type: 'came', payload })
    return found
  }

  #take(): Uint8Array | undefined {
    const payload = this.#waiting.get(this.#next!)
    if (!payload) return undefined
    this.#waiting.delete(this.#next!)
    this.#next = (this.#next! + 1) % sequences
    return payload
  }

  #isWaitOver(nowMs: number): boolean {
    return nowMs - this.#gapSinceMs >= this.#limits.waitMs || this.#waiting.size > this.#limits.waiting
  }

  #giveUp(): OrderedPacket[] {
    const from = this.#next!
    const nearest = [...this.#waiting.keys()].reduce((one, other) =>
      distance(from, other) < distance(from, one) ? other : one,
    )
    const missing = distance(from, nearest)
    this.#next = nearest
    if (missing > this.#limits.concealed) return []
    return Array.from({ length: missing }, (_, index) => ({
      type: 'lost' as const,
      next: index === missing - 1 ? this.#waiting.get(nearest) : undefined,
    }))
  }
}

/** How far one is after the other, less than nothing when it is before. */
function distance(from: number, to: number): number {
  const ahead = (to - from + sequences) % sequences
  return ahead < sequences / 2 ? ahead : ahead - sequences
}
