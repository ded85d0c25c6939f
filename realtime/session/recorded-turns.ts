import type { SessionTurn } from '../../actors/session-recording/ports.ts'
import type { RecordedSpan } from './ports.ts'

interface RecordedTurn extends RecordedSpan {
  readonly itemId: string
  readonly role: SessionTurn['role']
  /** Whether all that is known of it was given away. */
  readonly isTold: boolean
}

/** Those that may still change; the others are told as they are. */
const turnsMax = 200

/** Where on a recording each turn lies, and which of them have something new to tell. */
export class RecordedTurns {
  readonly #turns = new Map<string, RecordedTurn>()

  find(itemId: string): RecordedSpan | undefined {
    return this.#turns.get(itemId)
  }

  /** So far. */
  place(itemId: string, role: SessionTurn['role'], { startMs, endMs }: RecordedSpan): void {
    const begun = this.#turns.get(itemId)?.startMs ?? startMs
    this.#turns.set(itemId, { itemId, role, startMs: begun, endMs, isTold: false })
  }

  /** Nothing of the answers is heard from then on. */
  cutAnswers(fromMs: number): void {
    for (const turn of this.#turns.values())
      if (turn.role === 'assistant' && turn.endMs > fromMs) this.#cut(turn, fromMs)
  }

  /** Those of which something changed, as soon as their words are known, and in any case where nobody asks again. */
  take(textOf: (itemId: string) => string | undefined, isLast: boolean): SessionTurn[] {
    const taken: SessionTurn[] = []
    for (const turn of this.#turns.values()) {
      const isOverdue = isLast || this.#turns.size > turnsMax
      const text = textOf(turn.itemId)
      if (!turn.isTold && (text !== undefined || isOverdue)) {
        taken.push(wireOf(turn, text ?? ''))
        this.#turns.set(turn.itemId, { ...turn, isTold: true })
      }
      if (this.#turns.size > turnsMax) this.#turns.delete(turn.itemId)
    }
    return taken
  }

  #cut(turn: RecordedTurn, fromMs: number): void {
    this.#turns.set(turn.itemId, { ...turn, endMs: Math.max(turn.startMs, fromMs), isTold: false })
  }
}

function wireOf({ itemId, role, startMs, endMs }: RecordedTurn, text: string): SessionTurn {
  return { item_id: itemId, role, start: seconds(startMs), end: seconds(endMs), live_text: text }
}

function seconds(ms: number): number {
  return Math.round(ms) / 1_000
}
