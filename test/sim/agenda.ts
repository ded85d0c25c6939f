/** What happens when, on virtual time: the earliest first and, of those at the same time, the one that was entered first. */
interface Agenda {
  add(atMs: number, what: () => void): void
  next(): Due | undefined
}

interface Due {
  readonly atMs: number
  readonly order: number
  readonly what: () => void
}

export function createAgenda(): Agenda {
  const heap: Due[] = []
  let entered = 0

  function swap(one: number, other: number): void {
    const kept = heap[one]!
    heap[one] = heap[other]!
    heap[other] = kept
  }

  function rise(from: number): void {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >> 1
      if (!isBefore(heap[at]!, heap[parent]!)) return
      swap(at, parent)
      at = parent
    }
  }

  function sink(): void {
    for (let at = 0; ;) {
      const left = at * 2 + 1
      if (left >= heap.length) return
      const least = left + 1 < heap.length && isBefore(heap[left + 1]!, heap[left]!) ? left + 1 : left
      if (!isBefore(heap[least]!, heap[at]!)) return
      swap(at, least)
      at = least
    }
  }

  return {
    add(atMs, what) {
      entered += 1
      heap.push({ atMs, order: entered, what })
      rise(heap.length - 1)
    },
    next() {
      const first = heap[0]
      const last = heap.pop()
      if (first !== undefined && last !== undefined && heap.length > 0) {
        heap[0] = last
        sink()
      }
      return first
    },
  }
}

function isBefore(one: Due, other: Due): boolean {
  return one.atMs === other.atMs ? one.order < other.order : one.atMs < other.atMs
}
