import type { CheckName } from './check/checks.ts'

/** Everything that happened, in milliseconds since the rig was ready. */
export interface History {
  readonly operations: readonly ChaosOperation[]
  readonly faults: readonly FaultEvent[]
  readonly samples: readonly HistorySample[]
  readonly complaints: readonly Complaint[]
  readonly notes: readonly HistoryNote[]
  nowMs(): number
  operated(operation: ChaosOperation): void
  /** Resolves to the way to say that it is over. */
  faulted(fault: Omit<FaultEvent, 'endMs'>): () => void
  sampled(sample: HistorySample): void
  /** Something that must not be. The same is said once. */
  complain(check: CheckName, sentence: string): void
  /** Something worth telling that is no fault of anybody. */
  note(text: string): void
}

/** One request of a client. `unknown`: no answer came, so that it may have been done or not. */
export interface ChaosOperation {
  readonly client: string
  readonly verb: Verb
  readonly gateway: string
  readonly atMs: number
  readonly tookMs: number
  readonly outcome: 'ok' | 'refused' | 'unknown'
  readonly status?: number
  readonly about: string
}

export type Verb = 'upload' | 'submit' | 'status' | 'results' | 'delete' | 'list'

export interface FaultEvent {
  readonly kind: string
  readonly area: Area
  readonly what: string
  readonly atMs: number
  readonly endMs?: number
}

export const areas = ['broker', 'links', 'workers', 'gateways', 'storage', 'messages', 'clocks'] as const
export type Area = (typeof areas)[number]

/** What the queues held. */
interface HistorySample {
  readonly atMs: number
  readonly waiting: number
  readonly openBatches: number
}

interface Complaint {
  readonly check: CheckName
  readonly sentence: string
  readonly atMs: number
}

interface HistoryNote {
  readonly text: string
  readonly atMs: number
}

const complaintsMax = 200

export function createHistory(): History {
  const startedMs = performance.now()
  const operations: ChaosOperation[] = []
  const faults: { -readonly [Key in keyof FaultEvent]: FaultEvent[Key] }[] = []
  const samples: HistorySample[] = []
  const complaints: Complaint[] = []
  const notes: HistoryNote[] = []
  const nowMs = (): number => Math.round(performance.now() - startedMs)
  return {
    operations,
    faults,
    samples,
    complaints,
    notes,
    nowMs,
    operated: (operation) => void operations.push(operation),
    faulted(fault) {
      const event = { ...fault }
      faults.push(event)
      return () => Object.assign(event, { endMs: nowMs() })
    },
    sampled: (sample) => void samples.push(sample),
    complain(check, sentence) {
      const isKnown = complaints.some((one) => one.check === check && one.sentence === sentence)
      if (!isKnown && complaints.length < complaintsMax) complaints.push({ check, sentence, atMs: nowMs() })
    },
    note: (text) => void notes.push({ text, atMs: nowMs() }),
  }
}
