/** Text on its way from the conversation model to the voice. One reader. */
interface TextQueue extends AsyncIterable<string> {
  readonly push: (text: string) => void
  readonly end: () => void
}

export function createTextQueue(): TextQueue {
  const waiting: string[] = []
  let ended = false
  let wake: (() => void) | undefined

  function changed(): void {
    wake?.()
    wake = undefined
  }

  return {
    push(text) {
      waiting.push(text)
      changed()
    },
    end() {
      ended = true
      changed()
    },
    async *[Symbol.asyncIterator]() {
      while (true) {
        const text = waiting.shift()
        if (text !== undefined) yield text
        else if (ended) return
        else
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    },
  }
}
