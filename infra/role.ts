import type { Log } from '../actors/ports.ts'

/** A role that runs until it is told to stop. */
export interface RunningRole {
  readonly url: string
  close(): Promise<void>
}

/** What a role tells the process that started it. */
export interface RoleReady {
  readonly type: 'ready'
  readonly url: string
}

/** Runs until SIGTERM, SIGINT, or until the parent that started it is gone; then drains and ends the process. */
export async function runRole(role: RunningRole, log: Log): Promise<void> {
  const reason = new Promise<string>((resolve) => {
    process.once('SIGTERM', () => resolve('SIGTERM'))
    process.once('SIGINT', () => resolve('SIGINT'))
    process.once('disconnect', () => resolve('the parent process is gone'))
  })
  const ready: RoleReady = { type: 'ready', url: role.url }
  process.send?.(ready)
  log.info('role stops', { reason: await reason })
  await role.close()
  log.info('role stopped')
  process.exit(0)
}
