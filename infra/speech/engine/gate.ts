import { setTimeout as pause } from 'node:timers/promises'

interface GateOptions<Reference, Clip, Answer> {
  /** How many are run together at most. */
  readonly size: number
  /** How long the first one waits for company. */
  readonly ageMs: number
  /** Fetches what a reference names; all of a batch are fetched at the same time. */
  load(reference: Reference): Promise<Clip>
  /** Answers in the order of the clips. */
  run(clips: readonly Clip[]): Promise<readonly Answer[]>
}

/** Collects references from many callers and runs them together; each caller gets its own answer, or its own failure. */
interface Gate<Reference, Answer> {
  pass(reference: Reference): Promise<Answer>
}

interface Waiting<Reference, Answer> {
  readonly reference: Reference
  readonly resolve: (answer: Answer) => void
  readonly reject: (reason: unknown) => void
}

export function createGate<Reference, Clip, Answer>(
  options: GateOptions<Reference, Clip, Answer>,
): Gate<Reference, Answer> {
  let gathering: Waiting<Reference, Answer>[] = []
  let departure: AbortController | undefined

  function depart(): void {
    const batch = gathering
    gathering = []
    departure?.abort()
    departure = undefined
    void runBatch(options, batch)
  }

  async function departWhenOld(leaving: AbortController): Promise<void> {
    await pause(options.ageMs, undefined, { signal: leaving.signal }).then(depart, () => undefined)
  }

  return {
    pass: (reference) =>
      new Promise((resolve, reject) => {
        gathering.push({ reference, resolve, reject })
        if (gathering.length >= options.size) return depart()
        if (departure) return
        departure = new AbortController()
        void departWhenOld(departure)
      }),
  }
}

/** One that cannot be fetched fails alone; when the run itself fails, it fails for all that were in it. */
async function runBatch<Reference, Clip, Answer>(
  options: GateOptions<Reference, Clip, Answer>,
  batch: readonly Waiting<Reference, Answer>[],
): Promise<void> {
  const loaded = await Promise.allSettled(batch.map(({ reference }) => options.load(reference)))
  const ready: { waiting: Waiting<Reference, Answer>; clip: Clip }[] = []
  for (const [index, waiting] of batch.entries()) {
    const outcome = loaded[index]!
    if (outcome.status === 'fulfilled') ready.push({ waiting, clip: outcome.value })
    else waiting.reject(outcome.reason)
  }
  if (ready.length === 0) return
  try {
    const answers = await options.run(ready.map(({ clip }) => clip))
    for (const [index, { waiting }] of ready.entries()) waiting.resolve(answers[index]!)
  } catch (error) {
    for (const { waiting } of ready) waiting.reject(error)
  }
}
