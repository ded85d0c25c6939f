import type { Word } from '../../asr/recogniser.ts'
import { lastPitch } from '../../analysis/last-pitch.ts'
import { marksIn } from '../../punctuation/marks.ts'
import type { Punctuator } from '../../punctuation/punctuator.ts'
import { finishedChance } from './finished-chance.ts'

interface PauseJudgeOptions {
  readonly signal: AbortSignal
  /** How likely somebody who paused there has finished, 0 to 1. */
  readonly tell: (finished: number, to: number) => void
}

/** Whether somebody who pauses has finished, by how they sounded and then by what they said. */
export class PauseJudge {
  readonly #punctuator: Pick<Punctuator, 'endChance'>
  readonly #options: PauseJudgeOptions
  #pitch: number | undefined
  /** The pause that was last judged, and its words. */
  #judged = ''

  constructor(punctuator: Pick<Punctuator, 'endChance'>, options: PauseJudgeOptions) {
    this.#punctuator = punctuator
    this.#options = options
  }

  /** To the voice before the pause: there is time for it while the words are being recognised. */
  listen(samples: Float32Array): void {
    this.#pitch = lastPitch(samples)
  }

  /** By words that end in a pause there. */
  async judge(words: readonly Word[], to: number): Promise<void> {
    const judged = JSON.stringify([to, words.map(({ text }) => text)])
    if (judged === this.#judged) return // nobody heard it differently the second time
    this.#judged = judged
    const end = await this.#punctuator.endChance(words, this.#options.signal)
    const bare = words.map(({ text }) => marksIn(text).bare)
    this.#options.tell(finishedChance({ words: bare, end, pitch: this.#pitch }), to)
  }
}
