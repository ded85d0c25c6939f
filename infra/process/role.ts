import type { Log } from '../../actors/ports.ts'

/** A role that runs until it is told to stop. */
export interface RunningRole {
  /** Where it listens; a worker listens nowhere. */
  readonly url?: string
  close(): Promise<void>
}

/** What a role tells the process that started it. */
export interface RoleReady {
  readonly type: 'ready'
  readonly url?: string
}

/** Over what a role grants its requests, for what it does after them. */
const graceMs = 5_000

/** Runs until SIGTERM, SIGINT, or until the parent that started it is gone; then drains and ends the process. */
export async function runRole(
  start: () => Promise<RunningRole>,
  input: { log: Log; shutdownSeconds: number; tracer?: { close(): Promise<void> } | undefined },
): Promise<never> {
  const { log } = input
  const told = stopReason()
  const role = await Promise.race([start(), told])
  if (typeof role === 'string') {
    log.info('role ends before it was ready', { reason: role })
    process.exit(0)
  }
  const ready: RoleReady = { type: 'ready', ...(role.url !== undefined && { url: role.url }) }
  process.send?.(ready)
  log.info('role stops', { reason: await told })
  // what takes longer is safe in the spool, and the next start takes it up
  setTimeout(
    () => {
      log.warn('role did not stop in time and is ended')
      // not by exit, which would stop the threads of models that are being opened, and so abort with a message of theirs
      process.kill(process.pid, 'SIGKILL')
    },
    input.shutdownSeconds * 1000 + graceMs,
  ).unref()
  await role.close()
  await input.tracer?.close()
  log.info('role stopped')
  process.exit(0)
}

/** Listens from the first moment: a parent that dies while we wait for the broker would leave us waiting for ever. */
function stopReason(): Promise<string> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve('SIGTERM'))
    process.once('SIGINT', () => resolve('SIGINT'))
    process.once('disconnect', () => resolve('the parent process is gone'))
    // it went while our modules were loaded; without one to talk to there is no such property
    if ('connected' in process && !process.connected) resolve('the parent process was gone before we began')
  })
}
