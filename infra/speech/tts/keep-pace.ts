import { spokenRate } from '../../../actors/conversation/ports.ts'
import type { EngineSpeakOptions, Said, VoiceEngine } from './engine.ts'
import type { SpokenText } from './spoken-text.ts'

interface PacePorts {
  /** Speaks what the other engine does not in time; absent: everybody waits for that one. */
  readonly substitute: VoiceEngine | undefined
  readonly elapsedMs: () => number
  /** Called once, when the substitute takes over. */
  readonly late: (facts: { readonly withinMs: number }) => void
}

interface PaceLimits {
  /** How long a listener who hears nothing may wait. */
  readonly beginMs: number
  /** Kept back of what is still to be heard, for the substitute to speak in. */
  readonly reserveMs: number
}

const paceLimits: PaceLimits = { beginMs: 1_500, reserveMs: 250 }

/** Speaks one text to somebody who listens: each clause is there before the one before it was heard. */
export class PacedSpeech {
  readonly #ports: PacePorts
  readonly #limits: PaceLimits
  /** When all that was made will have been heard. */
  #heardMs = Number.NEGATIVE_INFINITY
  #isLate = false

  constructor(ports: PacePorts, limits: PaceLimits = paceLimits) {
    this.#ports = ports
    this.#limits = limits
  }

  /** By this engine while it keeps up, and by the substitute from then on: one change of voice is enough. */
  async say(engine: VoiceEngine, clause: SpokenText, options: EngineSpeakOptions): Promise<Said> {
    const { substitute, late } = this.#ports
    if (!substitute || engine === substitute) return engine.say(clause, options)
    if (this.#isLate) return substitute.say(clause, options)
    const withinMs = this.#withinMs()
    const said = await inTime(withinMs, options.signal, (signal) => engine.say(clause, { ...options, signal }))
    if (said) return said
    this.#isLate = true
    late({ withinMs: Math.round(withinMs) })
    return substitute.say(clause, options)
  }

  /** A clause goes to the listener, who hears it after those before it. */
  made(samples: number): void {
    this.#heardMs = Math.max(this.#heardMs, this.#ports.elapsedMs()) + (samples * 1_000) / spokenRate
  }

  /** Where the text itself came late the listener waits already: that is a beginning, and no fault of the engine. */
  #withinMs(): number {
    const leftMs = this.#heardMs - this.#ports.elapsedMs()
    return leftMs <= 0 ? this.#limits.beginMs : Math.max(0, leftMs - this.#limits.reserveMs)
  }
}

/** Undefined when it takes longer; what is then still being made is for nobody. */
async function inTime<Result>(
  withinMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | undefined> {
  const giveUp = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), withinMs)
  })
  const working = work(AbortSignal.any([signal, giveUp.signal]))
  try {
    return await Promise.race([working, late])
  } finally {
    clearTimeout(timer)
    giveUp.abort(new Error('it took too long'))
    working.catch(() => undefined)
  }
}
