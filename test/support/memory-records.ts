import type { Records, Revision, Stored } from '../../actors/ports.ts'

/** Records in this process: for tests of what is built on them. Keeps copies, as a broker does. */
export function memoryRecords<Value>(nowMs: () => number = Date.now): Records<Value> {
  const entries = new Map<string, Stored<Value> | 'removed'>()
  let revision: Revision = 0

  const put = (key: string, value: Value): Revision => {
    revision += 1
    entries.set(key, { value: structuredClone(value), revision, storedAtMs: nowMs() })
    return revision
  }
  const get = (key: string): Stored<Value> | undefined => {
    const entry = entries.get(key)
    return entry === undefined || entry === 'removed' ? undefined : structuredClone(entry)
  }
  return {
    create: (key, value) => Promise.resolve(entries.has(key) ? 'exists' : put(key, value)),
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
    replace: (key, value, known) => Promise.resolve(get(key)?.revision === known ? put(key, value) : 'conflict'),
    remove(key) {
      revision += 1
      entries.set(key, 'removed')
      return Promise.resolve()
    },
    backOff: () => Promise.resolve(),
    ageMs: ({ storedAtMs }) => Promise.resolve(nowMs() - storedAtMs),
    readUnder: (prefix) =>
      Promise.resolve(
        new Map(
          [...entries.keys()].flatMap((key) => {
            const found = isUnder(key, prefix) ? get(key) : undefined
            return found ? [[key, found.value] as const] : []
          }),
        ),
      ),
    keys: () => Promise.resolve([...entries.keys()].filter((key) => get(key))),
  }
}

function isUnder(key: string, prefix: string): boolean {
  return key.startsWith(`${prefix}.`) && !key.slice(prefix.length + 1).includes('.')
}
