/** Gathers the microphone's samples into pieces of 40 ms and hands them to the page as 16-bit samples. */
const pieceSeconds = 0.04

class Microphone extends AudioWorkletProcessor {
  #piece = new Int16Array(Math.round(sampleRate * pieceSeconds))
  #filled = 0

  process([input]) {
    for (const sample of input?.[0] ?? []) {
      this.#piece[this.#filled++] = Math.max(-1, Math.min(1, sample)) * 32767
      if (this.#filled < this.#piece.length) continue
      this.port.postMessage(this.#piece.slice())
      this.#filled = 0
    }
    return true
  }
}

registerProcessor('microphone', Microphone)
