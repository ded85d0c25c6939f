import { setImmediate as nextTurn } from 'node:timers/promises'

/** Each is made while the one before it is used, and no further ahead: what nobody hears any more is not made. */
export async function* madeAhead<Input, Output>(
  inputs: AsyncGenerator<Input, void>,
  make: (input: Input) => Promise<Output>,
): AsyncGenerator<Output, void> {
  const pull = async (): Promise<{ readonly made: Output } | undefined> => {
    const { done, value } = await inputs.next()
    return done ? undefined : { made: await make(value) }
  }
  try {
    let coming = pull()
    for (let one = await coming; one; one = await coming) {
      // whoever waits for this one has it first, and may want no more
      coming = nextTurn().then(pull)
      // told when it is its turn, and not before
      coming.catch(() => undefined)
      yield one.made
    }
  } finally {
    // not waited for: a source that is stuck would hold up whoever leaves
    void inputs.return().catch(() => undefined)
  }
}
