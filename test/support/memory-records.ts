import { terminal } from '../../actors/failure.ts'
import type { Records, Revision, Stored } from '../../actors/ports.ts'
import { recordMaxBytes } from '../../infra/nats/topology/topology.ts'

/** Records in this process: for tests of what is built on them. Keeps copies, as a broker does. */
export function memoryRecords<Value>(nowMs: () => number = Date.now): Records<Value> {
  const entries = new Map<string, Omit<Stored<Value>, 'value'> & { readonly text?: string }>()
  let revision: Revision = 0

  const put = (key: string, value: Value): Revision => {
    const text = JSON.stringify(value)
    const sizeBytes = Buffer.byteLength(text)
    if (sizeBytes > recordMaxBytes) throw terminal('too_large', `A record of ${sizeBytes} bytes.`)
    revision += 1
    entries.set(key, { text, revision, storedAtMs: nowMs() })
    return revision
  }
  const get = (key: string): Stored<Value> | undefined => {
    const entry = entries.get(key)
    if (entry?.text === undefined) return undefined
    const { text, ...rest } = entry
    return { ...rest, value: JSON.parse(text) }
  }
  const under = (prefixes: readonly string[]): Map<string, Value> =>
    new Map(
      [...entries.keys()].flatMap((key) => {
        const found = prefixes.some((prefix) => isUnder(key, prefix)) ? get(key) : undefined
        return found ? [[key, found.value] as const] : []
      }),
    )
  return {
    create: async (key, value) => (entries.has(key) ? 'exists' : put(key, value)),
    read: (key) => Promise.resolve(get(key)),
    readMany: (keys) =>
      Promise.resolve(
        new Map(
          keys.flatMap((key) => {
            const found = get(key)
            return found ? [[key, found.value] as const] : []
          }),
        ),
      ),
    replace: async (key, value, known) => (get(key)?.revision === known ? put(key, value) : 'conflict'),
    remove(key, known) {
      if (known !== undefined && get(key)?.revision !== known) return Promise.resolve()
      revision += 1
      entries.set(key, { revision, storedAtMs: nowMs() })
      return Promise.resolve()
    },
    erase(key, known) {
      if (known === undefined || get(key)?.revision === known) entries.delete(key)
      return Promise.resolve()
    },
    compact: () => Promise.resolve(),
    backOff: () => Promise.resolve(),
    ageMs: ({ storedAtMs }) => Promise.resolve(nowMs() - storedAtMs),
    readUnder: (prefix) => Promise.resolve(under([prefix])),
    readManyUnder: (prefixes) => Promise.resolve(under(prefixes)),
    inOrder: (after, most) =>
      Promise.resolve(
        [...entries]
          .map(([key, { revision: at, storedAtMs }]) => ({ key, value: get(key)?.value, revision: at, storedAtMs }))
          .filter((one) => one.revision > after)
          .sort((one, other) => one.revision - other.revision)
          .slice(0, most),
      ),
    keys: () => Promise.resolve([...entries.keys()].filter((key) => get(key))),
  }
}

function isUnder(key: string, prefix: string): boolean {
  return key.startsWith(`${prefix}.`) && !key.slice(prefix.length + 1).includes('.')
}
