/** Plays what the page hands it, one piece after another, and tells how much of it was heard. */
const tellEvery = 20

class Speaker extends AudioWorkletProcessor {
  #pieces = []
  #at = 0
  #played = 0
  #calls = 0

  constructor() {
    super()
    this.port.onmessage = ({ data }) => {
      if (data !== 'stop') return void this.#pieces.push(data)
      this.#pieces = []
      this.#at = 0
    }
  }

  process(_, [output]) {
    const channel = output[0]
    let loudest = 0
    for (let to = 0; to < channel.length && this.#pieces.length > 0; to++) {
      const piece = this.#pieces[0]
      channel[to] = piece[this.#at++] / 32768
      loudest = Math.max(loudest, Math.abs(channel[to]))
      this.#played++
      if (this.#at < piece.length) continue
      this.#pieces.shift()
      this.#at = 0
    }
    if (this.#calls++ % tellEvery === 0) this.#tell(loudest)
    return true
  }

  #tell(level) {
    this.port.postMessage({ played: this.#played, level, isPlaying: this.#pieces.length > 0 })
  }
}

registerProcessor('speaker', Speaker)
