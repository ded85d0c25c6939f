import type { TranscribedTurn } from '../../../../actors/conversation/ports.ts'
import type { Word } from '../../asr/recogniser.ts'
import type { Punctuator } from '../../punctuation/punctuator.ts'
import { contextWords, transcribedTurn, writeOn } from './written-turn.ts'
import type { WrittenWord } from './written-turn.ts'

/** The words of a turn that do not change any more, as they were written down and told. */
export class CertainText {
  readonly #punctuator: Punctuator
  readonly #tell: ((piece: string) => void) | undefined
  readonly #written: WrittenWord[] = []

  constructor(punctuator: Punctuator, tell: ((piece: string) => void) | undefined) {
    this.#punctuator = punctuator
    this.#tell = tell
  }

  get isEmpty(): boolean {
    return this.#written.length === 0
  }

  /** The last of them, for whoever looks at what follows. */
  get context(): Word[] {
    return this.#written.slice(-contextWords).map(({ word }) => word)
  }

  /** Those that end after so many seconds of the turn. */
  after(seconds: number): Word[] {
    return this.#written.map(({ word }) => word).filter(({ end }) => end > seconds)
  }

  /** Adds so many of the words that follow, and tells them; the others say where a sentence goes on. */
  async add(following: { readonly words: readonly Word[]; readonly language: string }, count: number): Promise<void> {
    if (count === 0) return
    const more = await writeOn(this.#punctuator, this.#written, following)
    const certain = more.slice(0, count)
    const space = this.isEmpty ? '' : ' '
    this.#written.push(...certain)
    this.#tell?.(space + certain.map(({ text }) => text).join(' '))
  }

  turn(about: { readonly heardAs: string; readonly seconds: number }): TranscribedTurn {
    return transcribedTurn(this.#written, about)
  }
}
