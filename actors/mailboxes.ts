import { dispatch, spawn, stop } from 'nact'
import type { Ref } from 'nact'

import type { DurableActor } from './durable-actor.ts'
import type { Log } from './ports.ts'

/**
 * One nact actor for each key that is in use: what is sent to it is handled one after another, in the order in which it came, and
 * what is sent to others at the same time. It ends when its mailbox is empty: what it knows is in its record.
 */
export interface Mailboxes<Message, Result> {
  /** Resolves or rejects as its handling does: nothing is lost without its sender knowing. */
  send(message: Message): Promise<Result>
}

interface Handling<Message, Result> {
  readonly name: string
  readonly log: Log
  readonly keyOf: (message: Message) => string
  readonly handle: (message: Message) => Promise<Result>
}

interface Letter<Message, Result> {
  readonly message: Message
  readonly resolve: (result: Result) => void
  readonly reject: (error: unknown) => void
}

export function createMailboxes<Message, Result>(
  parent: Ref<never>,
  { name, log, keyOf, handle }: Handling<Message, Result>,
): Mailboxes<Message, Result> {
  type Actor = Ref<Letter<Message, Result>>
  const onCrash = supervision(log)
  const group = spawn(parent, (state: undefined) => state, name, { onCrash })
  let spawned = 0
  const boxes = new Map<string, { readonly actor: Actor; waiting: number }>()

  async function receive(_: undefined, { message, resolve, reject }: Letter<Message, Result>): Promise<undefined> {
    try {
      resolve(await handle(message))
    } catch (error) {
      reject(error)
    } finally {
      leave(keyOf(message))
    }
  }

  function boxOf(key: string): Actor {
    const known = boxes.get(key)
    if (known) {
      known.waiting += 1
      return known.actor
    }
    spawned += 1
    const actor: Actor = spawn(group, receive, `${name}-${spawned}`, { onCrash })
    boxes.set(key, { actor, waiting: 1 })
    return actor
  }

  function leave(key: string): void {
    const box = boxes.get(key)
    if (!box) return
    box.waiting -= 1
    if (box.waiting > 0) return
    boxes.delete(key)
    stop(box.actor)
  }

  return {
    send: (message) => new Promise((resolve, reject) => dispatch(boxOf(keyOf(message)), { message, resolve, reject })),
  }
}

/** A durable actor whose commands take turns in this process, so that they seldom conflict. What it tells itself does not wait. */
export function inTurns<Key, State, Command>(
  parent: Ref<never>,
  { name, log, actor }: { name: string; log: Log; actor: DurableActor<Key, State, Command> },
): DurableActor<Key, State, Command> {
  const boxes = createMailboxes(parent, {
    name,
    log,
    keyOf: ({ ref }: { ref: Key; commands: readonly Command[] }) => actor.keyOf(ref),
    handle: ({ ref, commands }) => actor.tell(ref, commands),
  })
  return { ...actor, tell: (ref, commands) => boxes.send({ ref, commands }) }
}

/** Goes on with the next message: whoever sent the one that crashed it sends it again. */
function supervision(log: Log) {
  return <Resume>(_message: unknown, error: unknown, context: { readonly resume: Resume }): Resume => {
    log.error('actor crashed', { error })
    return context.resume
  }
}
