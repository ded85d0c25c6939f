import { pauseSamples } from '../../../actors/conversation/ports.ts'
import type { Listener } from '../../../actors/conversation/ports.ts'
import type { AudioClip } from '../audio-clip.ts'
import type { SessionLimits } from '../limits.ts'
import type { SessionEvent } from '../protocol.ts'
import { msOf, samplesOf } from './turn-detection.ts'
import { readWhole } from './turn-reader.ts'

interface HeldTurnPorts {
  readonly itemId: string
  /** Where its speech begins. */
  readonly speechFrom: number
  readonly listener: Listener
  readonly limits: SessionLimits
  /** Its audio up to there. */
  readonly read: (to: number) => AudioClip
  readonly tell: (event: SessionEvent) => void
}

/** What somebody says over an answer, until it is known whether it is meant to end it. Never for longer than the limits say. */
export class HeldTurn {
  readonly #ports: HeldTurnPorts
  #asking: AbortController | undefined
  #late: NodeJS.Timeout | undefined
  /** Who stops sending in the middle of a word says nothing more by which it could be judged. */
  readonly #longest: NodeJS.Timeout
  #isOver = false

  constructor(ports: HeldTurnPorts) {
    const { backchannelMs, backchannelJudgeMs } = ports.limits
    this.#ports = ports
    this.#longest = setTimeout(() => this.begin(), backchannelMs + msOf(pauseSamples) + backchannelJudgeMs)
  }

  /** Positions: where the speech ends, as far as is known, and how far everything was looked at. */
  came(speechEnd: number, judgedTo: number): void {
    const { speechFrom, limits } = this.#ports
    if (this.#isOver) return
    if (speechEnd - speechFrom > samplesOf(limits.backchannelMs)) return this.begin()
    // who goes on has not said all of it yet
    if (judgedTo - speechEnd < pauseSamples) return this.#stopAsking()
    if (!this.#asking) this.#ask(judgedTo)
  }

  /** Whatever it is, it is taken for a turn. */
  begin(): void {
    if (this.#isOver) return
    this.close()
    this.#ports.tell({ type: 'HeldTurnBegan', itemId: this.#ports.itemId })
  }

  close(): void {
    this.#isOver = true
    clearTimeout(this.#longest)
    this.#stopAsking()
  }

  #ask(to: number): void {
    const { listener, limits, read } = this.#ports
    const asking = new AbortController()
    const audio = read(to)
    const answer = (word: string | undefined): void => {
      if (this.#asking === asking) this.#conclude(word, { audio, inputEnd: to })
    }
    this.#asking = asking
    this.#late = setTimeout(() => answer(undefined), limits.backchannelJudgeMs)
    void readWhole(audio)
      .then((samples) => listener.backchannelIn?.(samples, { signal: asking.signal }))
      .then(answer, () => answer(undefined))
  }

  #conclude(word: string | undefined, heard: { readonly audio: AudioClip; readonly inputEnd: number }): void {
    if (word === undefined) return this.begin()
    this.close()
    this.#ports.tell({ type: 'BackchannelHeard', itemId: this.#ports.itemId, word, ...heard })
  }

  #stopAsking(): void {
    clearTimeout(this.#late)
    this.#asking?.abort()
    this.#asking = undefined
  }
}
