import type { Records } from '../../actors/ports.ts'
import { createRandom } from '../sim/random.ts'
import type { Random } from '../sim/random.ts'
import type { Note } from './records.ts'

/** A queue and a bucket as whoever works with them sees them. The same script gives the same story on each. */
export interface Broker {
  readonly records: Records<Note>
  enqueue(chunk: number, delayMs: number): Promise<void>
  /** Everything that can be had; `expected` is what another broker gave, and this one may need a moment for it. */
  take(expected?: readonly string[]): Promise<readonly string[]>
  /** Of what is in hand, by chunk; nothing happens when it is not. */
  ack(chunk: number): Promise<void>
  giveBack(chunk: number): Promise<void>
  /** Whoever has something in hand dies: it comes again. */
  fallSilent(): Promise<void>
  outstanding(): Promise<readonly number[]>
  /** Somebody takes the messages of a chunk out of the queue. */
  lose(chunk: number): Promise<void>
  restart(): Promise<void>
}

export type Step =
  | { readonly type: 'enqueue'; readonly chunk: number; readonly delayMs: number }
  | { readonly type: 'ack' | 'giveBack' | 'lose'; readonly chunk: number }
  | { readonly type: 'take' | 'fallSilent' | 'restart' }
  | { readonly type: 'create' | 'replace' | 'replaceLate' | 'remove'; readonly key: string; readonly text: string }

const chunks = [0, 1, 2, 3] as const
const keys = ['a.one', 'a.two', 'a.b.three', 'four'] as const
const laterMs = 1500
/** A revision that nobody has seen. */
const neverStored = 1_000_000

/** What a queue remembers of work that waited for its time. */
export const afterItsTime: readonly Step[] = [
  { type: 'enqueue', chunk: 0, delayMs: laterMs },
  { type: 'enqueue', chunk: 0, delayMs: 0 },
  { type: 'take' },
  { type: 'enqueue', chunk: 0, delayMs: 0 },
  { type: 'take' },
  { type: 'restart' },
  { type: 'enqueue', chunk: 0, delayMs: 0 },
  { type: 'take' },
]

/** Many small steps, and a few of those that take a while on a real broker. */
export function scriptOf(seed: number): Step[] {
  const random = createRandom(seed, 'script')
  const some = Array.from({ length: 30 }, () => stepOf(random))
  const rare: Step[] = [{ type: 'fallSilent' }, { type: 'restart' }]
  for (const step of rare) some.splice(random.between(8, some.length), 0, step)
  return [...some, { type: 'take' }]
}

function stepOf(random: Random): Step {
  const chunk = random.pick(chunks)
  const type = random.pick([
    ...(['enqueue', 'enqueue', 'enqueue', 'take', 'take', 'ack', 'ack', 'giveBack', 'lose'] as const),
    ...(['create', 'create', 'replace', 'replace', 'replaceLate', 'remove'] as const),
  ])
  switch (type) {
    case 'enqueue':
      return { type, chunk, delayMs: random.chance(0.25) ? laterMs : 0 }
    case 'take':
      return { type }
    case 'ack':
    case 'giveBack':
    case 'lose':
      return { type, chunk }
    case 'create':
    case 'replace':
    case 'replaceLate':
    case 'remove':
      return { type, key: random.pick(keys), text: String(random.below(100)) }
  }
}

/** What each step came to, in the words that both sides share: revisions are numbers of their own on each. */
export async function play(broker: Broker, steps: readonly Step[], expected?: readonly string[]): Promise<string[]> {
  const story: string[] = []
  const revisions = new Map<string, number[]>()
  for (const [at, step] of steps.entries()) {
    const before = expected?.[at] === undefined ? undefined : wordsOf(expected[at])
    story.push(`${JSON.stringify(step)} ${await outcomeOf(broker, step, { revisions, before })}`)
  }
  return story
}

interface Known {
  /** By key, the newest last. */
  readonly revisions: Map<string, number[]>
  readonly before: readonly string[] | undefined
}

async function outcomeOf(broker: Broker, step: Step, known: Known): Promise<string> {
  switch (step.type) {
    case 'enqueue':
      await broker.enqueue(step.chunk, step.delayMs)
      return `outstanding ${(await broker.outstanding()).join()}`
    case 'take':
      return `took ${(await broker.take(known.before)).join()}`
    case 'ack':
    case 'giveBack':
    case 'lose':
      await broker[step.type](step.chunk)
      return `outstanding ${(await broker.outstanding()).join()}`
    case 'fallSilent':
    case 'restart':
      await broker[step.type]()
      return 'done'
    case 'create':
    case 'replace':
    case 'replaceLate':
    case 'remove':
      return writing(broker.records, step, known.revisions)
  }
}

/** What was taken, as `outcomeOf` tells it. */
function wordsOf(line: string): string[] {
  const [, taken = ''] = / took (.*)$/.exec(line) ?? []
  return taken === '' ? [] : taken.split(',')
}

async function writing(
  records: Records<Note>,
  step: Extract<Step, { key: string }>,
  revisions: Known['revisions'],
): Promise<string> {
  const { key, text } = step
  const own = revisions.get(key) ?? []
  revisions.set(key, own)
  const noted = (revision: number | string): string => {
    if (typeof revision === 'string') return revision
    own.push(revision)
    return 'stored'
  }
  const outcome = async (): Promise<string> => {
    switch (step.type) {
      case 'create':
        return noted(await records.create(key, { text }))
      case 'replace':
        return noted(await records.replace(key, { text }, own.at(-1) ?? neverStored))
      case 'replaceLate':
        return noted(await records.replace(key, { text }, own.at(-2) ?? neverStored))
      case 'remove':
        await records.remove(key)
        return 'removed'
    }
  }
  const came = await outcome()
  const read = (await records.read(key))?.value.text ?? 'nothing'
  const under = [...(await records.readUnder('a'))].map(([name, note]) => `${name}=${note.text}`).sort()
  const many = [...(await records.readMany(keys))].map(([name, note]) => `${name}=${note.text}`).sort()
  return `${came} ${read} [${under.join()}] [${many.join()}] [${(await records.keys()).sort().join()}]`
}
