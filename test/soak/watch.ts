import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import type { Holdings } from './watched-role.ts'
import type { WatchedName } from './watched-name.ts'

export interface WatchedRole {
  /** Empty for a worker. */
  readonly url: string
  holdings(): Promise<Holdings>
  stop(): Promise<void>
}

const program = fileURLToPath(new URL('watched-role.js', import.meta.url))

export async function watch(role: WatchedName, environment: Readonly<Record<string, string>>): Promise<WatchedRole> {
  const child = fork(program, [role], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      VAAK_CACHE: process.env['VAAK_CACHE'],
      ...environment,
    },
    execArgv: ['--expose-gc', '--enable-source-maps'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then((): never => {
    throw new Error(`the ${role} ended`)
  })
  ended.catch(() => undefined) // it ends when it is told to, and nobody waits for an answer then
  const answer = async (): Promise<unknown> => {
    const [said] = await Promise.race([once(child, 'message'), ended])
    return said
  }
  return {
    url: String(await answer()),
    async holdings() {
      child.send('what do you hold?')
      return (await answer()) as Holdings // as: it says nothing else
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.disconnect()
      await once(child, 'exit')
    },
  }
}
