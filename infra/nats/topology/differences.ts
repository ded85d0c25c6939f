import type { ConsumerPlan } from './consumers.ts'
import type { StreamPlan } from './stream-plan.ts'

/** One setting of a stream or consumer that is not as planned. */
export interface Difference {
  readonly stream: string
  /** Without it, the stream itself differs. */
  readonly consumer?: string
  readonly setting: string
  readonly wanted: unknown
  readonly found: unknown
}

export function streamDifferences(plan: StreamPlan, found: object): Difference[] {
  return compare(plan, found).map((difference) => ({ stream: plan.name, ...difference }))
}

export function consumerDifferences({ stream, name, config }: ConsumerPlan, found: object): Difference[] {
  return compare(config, found).map((difference) => ({ stream, consumer: name, ...difference }))
}

export function placeInBroker({ stream, consumer }: Pick<Difference, 'stream' | 'consumer'>): string {
  return consumer === undefined ? stream : `${stream}.${consumer}`
}

function compare(plan: object, found: object): Pick<Difference, 'setting' | 'wanted' | 'found'>[] {
  const actual = new Map<string, unknown>(Object.entries(found))
  return Object.entries(plan)
    .filter(([setting, wanted]) => JSON.stringify(wanted) !== JSON.stringify(actual.get(setting) ?? absent(wanted)))
    .map(([setting, wanted]) => ({ setting, wanted, found: actual.get(setting) }))
}

/** The server leaves out what is false, zero or empty. */
function absent(wanted: unknown): unknown {
  const isLeftOut = wanted === false || wanted === 0 || wanted === '' || (Array.isArray(wanted) && wanted.length === 0)
  return isLeftOut ? wanted : undefined
}
