/**
 * Follows what belongs together, through processes, for who looks for where time goes. What is done inside of `run` is a part of it,
 * whoever does it: nobody hands anything on.
 */
export interface Tracer {
  /** Resolves or rejects as `work` does, and as soon. */
  run<Result>(part: TracedPart, work: (note: TraceNote) => Promise<Result>): Promise<Result>
  /** What goes on here, as another process is told it. */
  cause(): string | undefined
  /** Something that is over already. */
  tell(told: ToldPart): void
}

export interface TracedPart {
  readonly name: string
  /** `server` answers a request, `consumer` takes a message, `client` asks somebody else. */
  readonly kind?: TraceKind
  /** What it came from in another process; without it, it is a part of what goes on here, or the first of its kind. */
  readonly cause?: string | undefined
  /** The cause is a stranger's: its name is believed, and not that it must be followed. */
  readonly isFromOutside?: boolean
  readonly facts?: TraceFacts
}

export type TraceKind = 'internal' | 'server' | 'client' | 'consumer'

/** Ids, counts and words of ours; never what a user wrote. */
export type TraceFacts = Readonly<Record<string, string | number>>

/** What was not known at the beginning. */
export type TraceNote = (known: { readonly name?: string; readonly facts?: TraceFacts }) => void

export interface ToldPart {
  readonly name: string
  /** Before now, and how long it took. */
  readonly beganMsAgo: number
  readonly tookMs: number
  readonly parts: readonly Omit<ToldPart, 'parts'>[]
}

/** Where nobody follows it only runs. */
export function within<Result>(
  tracer: Tracer | undefined,
  part: TracedPart,
  work: (note: TraceNote) => Promise<Result>,
): Promise<Result> {
  return tracer ? tracer.run(part, work) : work(() => undefined)
}
