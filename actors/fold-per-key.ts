interface Waiting<Item> {
  readonly items: readonly Item[]
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

/**
 * One writer a key, and everything that arrives while it writes goes into its next write together. It keeps a burst of
 * changes to one record from becoming a burst of compare-and-set conflicts.
 */
export function foldPerKey<Key, Item>(
  apply: (key: Key, items: readonly Item[]) => Promise<void>,
): (key: Key, items: readonly Item[]) => Promise<void> {
  const lines = new Map<Key, Waiting<Item>[]>()

  async function work(key: Key): Promise<void> {
    for (let line = lines.get(key); line && line.length > 0; line = lines.get(key)) {
      lines.set(key, [])
      try {
        await apply(
          key,
          line.flatMap(({ items }) => items),
        )
        for (const { resolve } of line) resolve()
      } catch (error) {
        for (const { reject } of line) reject(error)
      }
    }
    lines.delete(key)
  }

  return (key, items) =>
    new Promise((resolve, reject) => {
      const line = lines.get(key)
      if (line) {
        line.push({ items, resolve, reject })
        return
      }
      lines.set(key, [{ items, resolve, reject }])
      void work(key)
    })
}
