import type { Clock, Records } from '../../actors/ports.ts'

/** When a key was last used, to the hour. */
export interface KeyUse {
  readonly atMs: number
}

export interface KeyUses {
  /** At once, and written now and then: a request does not wait for it. */
  note(id: string): void
  lastOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>>
  forget(id: string): Promise<void>
}

const notedForMs = 3_600_000
const rememberedMax = 10_000

/** Beside the keys and not in them: who lets people in need not be able to write keys. */
export function openKeyUses(records: Records<KeyUse>, clock: Pick<Clock, 'nowMs'>): KeyUses {
  const noted = new Map<string, number>()
  return {
    note(id) {
      const nowMs = clock.nowMs()
      const since = noted.get(id)
      if (since !== undefined && nowMs - since < notedForMs) return
      if (noted.size >= rememberedMax) noted.clear()
      noted.set(id, nowMs)
      // the next use writes it then
      void write(records, id, nowMs).catch(() => noted.delete(id))
    },
    async lastOf(ids) {
      const found = await records.readMany(ids.map(useKey))
      return new Map(
        ids.flatMap((id) => {
          const use = found.get(useKey(id))
          return use ? [[id, use.atMs] as const] : []
        }),
      )
    },
    forget: (id) => records.remove(useKey(id)),
  }
}

/** Who is beaten to it by another process has nothing to add. */
async function write(records: Records<KeyUse>, id: string, atMs: number): Promise<void> {
  const found = await records.read(useKey(id))
  if (!found) await records.create(useKey(id), { atMs })
  else if (atMs - found.value.atMs >= notedForMs) await records.replace(useKey(id), { atMs }, found.revision)
}

function useKey(id: string): string {
  return `used.${id}`
}
