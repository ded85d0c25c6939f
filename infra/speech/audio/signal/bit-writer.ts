/** Bits, the most significant first, one number after the other. */
export class BitWriter {
  #bytes: Uint8Array
  #length = 0
  #held = 0
  #heldBits = 0

  constructor(sizeBytes: number) {
    this.#bytes = new Uint8Array(sizeBytes)
  }

  /** The lowest bits of a number that is not negative, at most 24 of them. */
  write(value: number, bits: number): void {
    this.#held = (this.#held << bits) | value
    this.#heldBits += bits
    while (this.#heldBits >= 8) {
      this.#heldBits -= 8
      this.#push((this.#held >>> this.#heldBits) & 0xff)
    }
    this.#held &= (1 << this.#heldBits) - 1
  }

  /** So many zeros, and a one. */
  writeUnary(zeros: number): void {
    let left = zeros
    for (; left >= 16; left -= 16) this.write(0, 16)
    this.write(1, left + 1)
  }

  /** Everything so far, filled up with zeros to whole bytes. Shares the memory, until more is written. */
  bytes(): Uint8Array {
    if (this.#heldBits > 0) this.write(0, 8 - this.#heldBits)
    return this.#bytes.subarray(0, this.#length)
  }

  #push(byte: number): void {
    if (this.#length === this.#bytes.length) {
      const more = new Uint8Array(2 * this.#bytes.length)
      more.set(this.#bytes)
      this.#bytes = more
    }
    this.#bytes[this.#length] = byte
    this.#length += 1
  }
}
