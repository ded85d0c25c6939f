import { decide } from './decide.ts'
import { SessionEffects } from './effects.ts'
import type { TurnInput } from './input/turn-input.ts'
import { keptOf } from './kept.ts'
import type { SessionKeeper, SessionPorts } from './ports.ts'
import type { SessionEvent } from './protocol.ts'
import type { SessionWords } from './session-words.ts'
import type { SessionState } from './state.ts'

/** One session: concludes from one event after the other, and does what follows before it looks at the next. */
export class SessionActor {
  readonly #ports: SessionPorts
  readonly #effects: SessionEffects
  readonly #keeper: SessionKeeper | undefined
  readonly #waiting: SessionEvent[] = []
  #state: SessionState
  #isRunning = false

  constructor(ports: SessionPorts, first: SessionState) {
    this.#ports = ports
    this.#state = first
    const tell = (event: SessionEvent): void => this.tell(event)
    const keeper = ports.keep?.({
      id: first.about.id,
      read: () => keptOf(this.#state, ports.locked === true),
      takenOver: () => tell({ type: 'TakenOver' }),
    })
    this.#keeper = keeper
    this.#effects = new SessionEffects({ ports, keeper, state: () => this.#state, tell })
  }

  get state(): SessionState {
    return this.#state
  }

  get input(): TurnInput {
    return this.#effects.input
  }

  get words(): SessionWords {
    return this.#effects.words
  }

  /** Everything that follows at once is done before this returns, unless it is called from what follows. */
  tell(event: SessionEvent): void {
    this.#waiting.push(event)
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) this.#handle(next)
    } finally {
      this.#isRunning = false
    }
  }

  #handle(event: SessionEvent): void {
    const before = this.#state
    const { state, effects } = decide(before, event, this.#ports.clock.elapsedMs())
    this.#state = state
    if (state.conversation !== before.conversation || state.settings !== before.settings) this.#keeper?.changed()
    for (const effect of effects) this.#effects.run(effect)
  }
}
