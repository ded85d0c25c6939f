import type { Readable } from 'node:stream'

import type { Blobs, BlobSource, StoredObject } from '../../actors/ports.ts'
import { awayCodeOf, retryable, terminal } from '../../actors/failure.ts'
import type { Process, World } from './world.ts'

/** The object store, as every process sees it. */
export interface Objects {
  get(key: string): string | undefined
  keys(): Iterable<string>
  /** Was there before anybody looked. */
  seed(key: string, content: string): void
  /** Every key that ever had something. */
  readonly used: ReadonlySet<string>
  portFor(process: Process): Blobs & { read(key: string): Promise<string> }
}

interface ObjectsOptions {
  /** Told of what replaced something else. */
  readonly replaced: (key: string) => void
  /** Told of what goes by itself, before it does. */
  readonly removing: (key: string) => void
  /** `countOutages`: that it is away is told as a failure of the work. */
  readonly breaks: { readonly overwrite: boolean; readonly countOutages: boolean }
}

export function createObjects(world: World, { replaced, removing, breaks }: ObjectsOptions): Objects {
  const objects = new Map<string, string>()
  const used = new Set<string>()

  function put(key: string, source: BlobSource, ifAbsent: boolean): 'stored' | 'exists' {
    const content = 'bytes' in source ? Buffer.from(source.bytes).toString() : source.path
    const before = objects.get(key)
    const isOverwritten = breaks.overwrite && key.includes('/chunk/')
    if (before !== undefined && ifAbsent && !isOverwritten) return 'exists'
    objects.set(key, content)
    used.add(key)
    if (before !== undefined && before !== content) replaced(key)
    return 'stored'
  }

  function below(prefix: string): string[] {
    return [...objects.keys()].filter((key) => key.startsWith(prefix))
  }

  function removeAll(prefix: string): number {
    const found = below(prefix)
    for (const key of found) objects.delete(key)
    return found.length
  }

  return {
    get: (key) => objects.get(key),
    keys: () => objects.keys(),
    seed: (key, content) => objects.set(key, content),
    used,
    portFor(process) {
      const call = <Result>(what: string, key: string, apply: () => Result): Promise<Result> =>
        world.call(process, { service: 'storage', what: `blobs.${what}`, key }, apply)
      const ask: typeof call = (what, key, apply) =>
        breaks.countOutages ? call(what, key, apply).catch(asFailure) : call(what, key, apply)
      return {
        put: (key, source, options) =>
          ask('put', key, () => {
            process.whenItStores()
            return put(key, source, options?.ifAbsent ?? false)
          }),
        read: (key) => ask('read', key, () => objects.get(key) ?? missing(key)),
        stat: (key) =>
          ask('stat', key, () => {
            const content = objects.get(key)
            return content === undefined ? undefined : { sizeBytes: content.length }
          }),
        remove: (key) =>
          ask('remove', key, () => {
            removing(key)
            return objects.delete(key)
          }),
        removeAll: (prefix) => ask('removeAll', prefix, () => removeAll(prefix)),
        list: (prefix) => entriesOf(objects, () => ask('list', prefix, () => below(prefix).sort())),
        open: async (key) => streamOf(await ask('read', key, () => objects.get(key) ?? missing(key))),
        check: () => ask('check', '', () => undefined),
        close: () => Promise.resolve(),
      }
    },
  }
}

/**
 * Generators stand outside: one that is made for an object gets a map of its own, which is old, and by which all that it sees stays until all
 * that is old is collected.
 */
async function* entriesOf(
  objects: ReadonlyMap<string, string>,
  find: () => Promise<readonly string[]>,
): AsyncGenerator<StoredObject> {
  for (const key of await find()) yield { key, sizeBytes: objects.get(key)?.length ?? 0 }
}

/** A real one takes its time by the clock of the runtime, which knows nothing of virtual time. */
function streamOf(content: string): Readable {
  const bytes = Buffer.from(content)
  // as: whoever reads it here only iterates
  return { [Symbol.asyncIterator]: () => onlyPart(bytes) } as unknown as Readable
}

async function* onlyPart(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

function asFailure(error: unknown): never {
  throw awayCodeOf(error) === undefined ? error : retryable('worker_failed', 'It did not work.')
}

function missing(key: string): never {
  throw terminal('not_found', `There is no object ${key}.`)
}
