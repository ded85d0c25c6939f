import type { Records } from '../../actors/ports.ts'
import { createRandom } from '../sim/random.ts'
import type { Random } from '../sim/random.ts'
import type { NoteRecord } from './records.ts'

/**
 * A queue and a bucket as whoever works with them sees them. The same script gives the same story on each, however fast or slow the
 * machine is: no step depends on how long another took.
 */
export interface ScriptedBroker {
  readonly records: Records<NoteRecord>
  /** True when it was stored; otherwise its id is known. `soon` resolves when it is due; `later` never is. */
  enqueue(chunk: number, due: ScriptedDue): Promise<boolean>
  /** Everything that can be had; `expected` is what another broker gave, and this one may need a moment for it. */
  take(expected: readonly string[]): Promise<readonly string[]>
  /** Of what is in hand, by chunk, the oldest first; nothing happens when there is nothing. */
  ack(chunk: number): Promise<void>
  giveBack(chunk: number): Promise<void>
  /** Whoever has something in hand stands still; another takes what can be had then. */
  fallSilent(expected: readonly string[]): Promise<readonly string[]>
  /** Of what was in hand when its holder fell silent: it goes on, and does not know that another has it. */
  ackLate(chunk: number): Promise<void>
  outstanding(): Promise<readonly number[]>
  /** Somebody takes the messages of a chunk out of the queue. */
  lose(chunk: number): Promise<void>
  /** It ends and comes back. */
  restart(by: 'kill' | 'order'): Promise<void>
}

export type ScriptedDue = 'now' | 'soon' | 'later'

export type ScriptStep =
  | { readonly type: 'enqueue'; readonly chunk: number; readonly due: ScriptedDue }
  | { readonly type: 'ack' | 'ackLate' | 'giveBack' | 'lose'; readonly chunk: number }
  | { readonly type: 'take' | 'fallSilent' | 'restart' }
  | { readonly type: 'create' | 'replace' | 'replaceLate' | 'remove'; readonly key: string; readonly text: string }

const chunks = [0, 1, 2, 3] as const
const keys = ['a.one', 'a.two', 'a.b.three', 'four'] as const
/** A revision that nobody has seen. */
const neverStored = 1_000_000

/** What a queue remembers of work that waited for its time. */
export const afterItsTime: readonly ScriptStep[] = [
  { type: 'enqueue', chunk: 0, due: 'soon' },
  { type: 'enqueue', chunk: 0, due: 'now' },
  { type: 'take' },
  { type: 'enqueue', chunk: 0, due: 'now' },
  { type: 'restart' },
  { type: 'enqueue', chunk: 0, due: 'now' },
  { type: 'take' },
  { type: 'ack', chunk: 0 },
  { type: 'fallSilent' },
]

/** What a queue remembers of work that is done, lost, or waits. */
export const afterRestart: readonly ScriptStep[] = [
  { type: 'enqueue', chunk: 0, due: 'now' },
  { type: 'enqueue', chunk: 1, due: 'later' },
  { type: 'enqueue', chunk: 2, due: 'now' },
  { type: 'enqueue', chunk: 3, due: 'now' },
  { type: 'take' },
  { type: 'ack', chunk: 0 },
  { type: 'lose', chunk: 2 },
  ...chunks.map((chunk): ScriptStep => ({ type: 'enqueue', chunk, due: 'now' })),
  { type: 'restart' },
  ...chunks.map((chunk): ScriptStep => ({ type: 'enqueue', chunk, due: 'now' })),
  { type: 'take' },
  { type: 'fallSilent' },
]

/** What a queue makes of an answer that comes when somebody else has the message. */
export const goesOn: readonly ScriptStep[] = [
  ...chunks.map((chunk): ScriptStep => ({ type: 'enqueue', chunk, due: 'now' })),
  { type: 'take' },
  { type: 'ack', chunk: 0 },
  { type: 'giveBack', chunk: 1 },
  { type: 'fallSilent' },
  { type: 'ackLate', chunk: 2 },
  { type: 'ack', chunk: 2 },
  { type: 'take' },
  { type: 'fallSilent' },
]

/** Many small steps, and a few of those that take a while on a real broker. */
export function brokerScriptOf(seed: number): ScriptStep[] {
  const random = createRandom(seed, 'script')
  const some = Array.from({ length: 30 }, () => stepOf(random))
  const silentAt = random.between(8, some.length)
  some.splice(silentAt, 0, { type: 'fallSilent' })
  const late = random.pick(chunks)
  for (const step of [{ type: 'ackLate', chunk: late }, { type: 'restart' }] as const)
    some.splice(random.between(silentAt + 1, some.length), 0, step)
  return [...some, { type: 'take' }]
}

function stepOf(random: Random): ScriptStep {
  const chunk = random.pick(chunks)
  const type = random.pick([
    ...(['enqueue', 'enqueue', 'enqueue', 'take', 'take', 'ack', 'ack', 'giveBack', 'lose'] as const),
    ...(['create', 'create', 'replace', 'replace', 'replaceLate', 'remove'] as const),
  ])
  switch (type) {
    case 'enqueue':
      return { type, chunk, due: random.pick(['now', 'now', 'now', 'soon', 'later']) }
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
export async function play(
  broker: ScriptedBroker,
  steps: readonly ScriptStep[],
  expected: readonly string[] = [],
): Promise<string[]> {
  const story: string[] = []
  const revisions = new Map<string, number[]>()
  for (const [at, step] of steps.entries()) {
    const came = await outcomeOf(broker, step, { revisions, before: takenIn(expected[at] ?? '') })
    const left = (await broker.outstanding()).join()
    story.push(`${JSON.stringify(step)} ${came}, outstanding ${left}`)
  }
  return story
}

/** What is had after a broker was killed that had just delivered three messages, of which one was acknowledged. */
export async function afterKill(broker: ScriptedBroker): Promise<string> {
  for (const chunk of [0, 1, 2]) await broker.enqueue(chunk, 'now')
  await broker.take(['0x1', '1x1', '2x1'])
  await broker.ack(0)
  await broker.restart('kill')
  // what is not told again at once is told when it was silent for too long
  return (await broker.fallSilent(['1x2', '2x2'])).join()
}

interface Known {
  /** By key, the newest last. */
  readonly revisions: Map<string, number[]>
  /** What the other broker gave. */
  readonly before: readonly string[]
}

async function outcomeOf(broker: ScriptedBroker, step: ScriptStep, known: Known): Promise<string> {
  switch (step.type) {
    case 'enqueue':
      return (await broker.enqueue(step.chunk, step.due)) ? 'stored' : 'known'
    case 'take':
    case 'fallSilent':
      return `took [${(await broker[step.type](known.before)).join()}]`
    case 'ack':
    case 'ackLate':
    case 'giveBack':
    case 'lose':
      await broker[step.type](step.chunk)
      return 'done'
    case 'restart':
      await broker.restart('order')
      return 'done'
    case 'create':
    case 'replace':
    case 'replaceLate':
    case 'remove':
      return writing(broker.records, step, known.revisions)
  }
}

/** What was taken, as `outcomeOf` tells it. */
function takenIn(line: string): string[] {
  const [, taken = ''] = / took \[([^\]]*)\]/.exec(line) ?? []
  return taken === '' ? [] : taken.split(',')
}

async function writing(
  records: Records<NoteRecord>,
  step: Extract<ScriptStep, { key: string }>,
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
