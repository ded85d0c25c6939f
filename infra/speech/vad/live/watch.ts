/** Which frames of a stream are worth the network's time. Pure: detector.ts has the network. */

type Glance = 'quiet' | 'same' | 'look'

/** Below this nobody speaks, whatever the microphone: −60 dB of full scale, as a root mean square. */
const silentLevel = 0.001
/** So far below the speech that was heard (−34 dB), it is the room. */
const farBelowSpeech = 0.02
/** How much louder or softer a frame may be than the one last looked at and still count as the same sound. */
const sameAtMost = 2
/** Frames of 32 ms from one look to the next while the answer is clear and the audio stays the same. */
const strideInSpeech = 3
const strideInNoise = 4
const clearlySpeech = 0.85
const clearlyNoise = 0.1
/** Speech of one person varies by words; its level is remembered for some seconds. */
const forgetting = 0.995
/** After so many quiet frames the network begins afresh: it has not heard them. */
const freshAfterQuiet = 8

/** What is known of one stream. Mutable, one for each: there are thousands. */
export class Watch {
  #speechLevel = 0
  #lookedLevel = 0
  #probability = 0
  #sinceLook = 0
  #quiet = freshAfterQuiet

  /** `isBusy`: the network is behind, so every look must be worth more. */
  glance(level: number, isBusy: boolean): Glance {
    this.#sinceLook += 1
    if (level < silentLevel || level < this.#speechLevel * farBelowSpeech) {
      this.#quiet += 1
      this.#probability = 0
      return 'quiet'
    }
    if (this.#quiet < freshAfterQuiet && this.#isSame(level) && this.#sinceLook < this.#stride(isBusy)) return 'same'
    this.#lookedLevel = level
    this.#sinceLook = 0
    return 'look'
  }

  /** Whether the network must forget this stream before it looks. Asked once for each look. */
  startsAfresh(): boolean {
    const isFresh = this.#quiet >= freshAfterQuiet
    this.#quiet = 0
    return isFresh
  }

  learn(probability: number, level: number): void {
    this.#probability = probability
    this.#speechLevel *= forgetting
    if (probability > clearlySpeech) this.#speechLevel = Math.max(this.#speechLevel, level)
  }

  #isSame(level: number): boolean {
    return level < this.#lookedLevel * sameAtMost && level * sameAtMost > this.#lookedLevel
  }

  #stride(isBusy: boolean): number {
    const factor = isBusy ? 2 : 1
    if (this.#probability > clearlySpeech) return strideInSpeech * factor
    return this.#probability < clearlyNoise ? strideInNoise * factor : factor
  }
}

/** Root mean square, of full scale. Every other sample says enough. */
export function frameLevel(pcm: Int16Array, from: number, to: number): number {
  let sum = 0
  for (let at = from; at < to; at += 2) sum += pcm[at]! * pcm[at]!
  return Math.sqrt((2 * sum) / (to - from)) / 32_768
}
