import type { Listener, TurnVocabulary } from '../../actors/conversation/ports.ts'

/** The words of the house that turns of a session are transcribed by: those that its settings name, once they are here. */
export class SessionWords {
  readonly #wanted: () => string | null
  #kept: { readonly id: string; readonly words: TurnVocabulary } | undefined

  constructor(wanted: () => string | null) {
    this.#wanted = wanted
  }

  has(id: string): boolean {
    return this.#kept?.id === id
  }

  keep(id: string, words: TurnVocabulary): void {
    this.#kept = { id, words }
  }

  usedBy(listener: Listener): Listener {
    return {
      ...listener,
      transcribe: (samples, options) => listener.transcribe(samples, { ...options, ...this.#current() }),
      follow: (options) => listener.follow({ ...options, ...this.#current() }),
    }
  }

  #current(): { readonly vocabulary?: TurnVocabulary } {
    return this.#kept && this.#kept.id === this.#wanted() ? { vocabulary: this.#kept.words } : {}
  }
}
