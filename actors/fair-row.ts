import type { RecentUse } from './recent-use.ts'

/**
 * Those who wait for something that users share. Who had least of it lately is next; of two who had as much, the one whose turn was longer
 * ago; of one asker, who came first.
 */
export class FairRow<Item> {
  readonly #use: Pick<RecentUse, 'of'>
  /** Of each asker, who is next first. */
  readonly #rows = new Map<string, Set<Item>>()
  #size = 0

  constructor(use: Pick<RecentUse, 'of'>) {
    this.#use = use
  }

  get size(): number {
    return this.#size
  }

  get askers(): readonly string[] {
    return [...this.#rows.keys()]
  }

  /** Each item once. */
  add(asker: string, item: Item): void {
    this.#rows.set(asker, (this.#rows.get(asker) ?? new Set()).add(item))
    this.#size += 1
  }

  /** It waits no longer. */
  delete(asker: string, item: Item): void {
    const row = this.#rows.get(asker)
    if (!row?.delete(item)) return
    this.#size -= 1
    if (row.size === 0) this.#rows.delete(asker)
  }

  /** Takes out who is next. */
  next(): Item | undefined {
    let least: { readonly asker: string; readonly used: number } | undefined
    for (const asker of this.#rows.keys()) {
      const used = this.#use.of(asker)
      if (!least || used < least.used) least = { asker, used }
    }
    if (!least) return undefined
    const { asker } = least
    const row = this.#rows.get(asker) ?? new Set<Item>()
    const [item] = row
    // behind those who had as much
    this.#rows.delete(asker)
    this.#rows.set(asker, row)
    if (item !== undefined) this.delete(asker, item)
    return item
  }
}
