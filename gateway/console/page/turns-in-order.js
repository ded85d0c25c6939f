/**
 * Turns are written down one beside the other, and a short one is done before a long one that came first: each waits for those before it.
 * `partial` gets the words of all that is not told yet, `final` those of each turn, in the order in which they were begun.
 */
export function turnsInOrder({ partial, final }) {
  const turns = new Map()
  const turnOf = (id) => turns.get(id) ?? turns.set(id, { words: '', isDone: false }).get(id)
  const tell = () => {
    for (const [id, { words, isDone }] of turns) {
      if (!isDone) break
      turns.delete(id)
      if (words) final(words)
    }
    partial(Array.from(turns.values(), ({ words }) => words).join(' '))
  }
  return {
    begin: (id) => void turnOf(id),
    add(id, more) {
      turnOf(id).words += more
      tell()
    },
    /** Without words it ends with those that came so far. */
    end(id, words = turnOf(id).words) {
      Object.assign(turnOf(id), { words, isDone: true })
      tell()
    },
    isQuiet: () => turns.size === 0,
  }
}
