interface Waiting<Item> {
  readonly item: Item
  readonly characters: number
}

/** What comes while something is looked up takes milliseconds, or as long as storage may take: so much of it is held. */
const waitingMax = 512
const waitingCharactersMax = 4 * 1_048_576

/** Why one that would have to wait is not taken. */
export const lineFull = `At most ${waitingMax} events with ${waitingCharactersMax} characters wait until what was asked for before is done. Wait for its answer.`

/**
 * One after the other, as they came: while one waits for what it needs, those behind it wait as well. Who names words, and then asks for an
 * answer, means one that was told of them. `handle` never rejects.
 */
export function createEventLine<Item>(handle: (item: Item) => Promise<void> | undefined) {
  const waiting: Waiting<Item>[] = []
  let characters = 0
  let isHeldUp = false

  function run(item: Item): void {
    const done = handle(item)
    if (!done) return
    isHeldUp = true
    void done.then(() => {
      isHeldUp = false
      goOn()
    })
  }

  function goOn(): void {
    while (!isHeldUp) {
      const next = waiting.shift()
      if (!next) return
      characters -= next.characters
      run(next.item)
    }
  }

  /** False when there is no room for it to wait. */
  return (item: Item, length: number): boolean => {
    if (!isHeldUp) {
      run(item)
      return true
    }
    if (waiting.length >= waitingMax || characters + length > waitingCharactersMax) return false
    waiting.push({ item, characters: length })
    characters += length
    return true
  }
}
