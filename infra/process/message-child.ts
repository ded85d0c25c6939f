import { startLimitedChild } from './limited-child.ts'
import type { ChildLimits, LimitedChild } from './limited-child.ts'
import { readMessages } from './messages.ts'
import type { ChildMessage } from './messages.ts'

/** A child that is asked in lines of JSON and answers in messages. */
interface MessageChild extends Omit<LimitedChild, 'stdin' | 'stdout'> {
  request(input: object): void
  /** Undefined when it is gone, or was discarded. */
  next(): Promise<ChildMessage | undefined>
}

export function startMessageChild(module: URL, limits: ChildLimits): MessageChild {
  const { stdin, stdout, ...child } = startLimitedChild(module, limits)
  const messages = readMessages(stdout)
  let discarded = false
  return {
    ...child,
    request: (input) => void stdin.write(`${JSON.stringify(input)}\n`),
    async next() {
      try {
        return (await messages.next()).value ?? undefined
      } catch (error) {
        if (discarded) return undefined
        throw error
      }
    },
    discard() {
      discarded = true
      child.discard()
    },
  }
}
