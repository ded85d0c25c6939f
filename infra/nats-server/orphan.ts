import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { z } from 'zod'

import type { Log } from '../../actors/ports.ts'
import { identityOf, isRunning, processIdentitySchema, thisProcess } from '../process/process-identity.ts'
import type { ProcessIdentity } from '../process/process-identity.ts'

/**
 * A nats-server outlives a parent that was killed outright, and two on one store destroy it: nats-server itself takes no
 * lock there. So each child is noted beside its store, and the next start ends what the note still finds.
 */
const noteSchema = z.object({ child: processIdentitySchema, parent: processIdentitySchema })

const politelyMs = 5_000
const forciblyMs = 5_000
const pollMs = 25

export function noteChild(storeDir: string, pid: number): void {
  const child = identityOf(pid)
  if (!child) return
  const draft = `${noteOf(storeDir)}.${process.pid}.tmp`
  writeFileSync(draft, JSON.stringify({ child, parent: thisProcess() }), { mode: 0o600 })
  renameSync(draft, noteOf(storeDir))
}

/** Only its own note: a child that ended late must not erase that of its successor. */
export function forgetChild(storeDir: string, pid: number | undefined): void {
  if (readNote(storeDir)?.child.pid === pid) rmSync(noteOf(storeDir), { force: true })
}

/** Ends the server that a killed parent left on this store. One whose parent lives is in use, and refused. */
export async function stopOrphan(storeDir: string, log: Log): Promise<void> {
  const note = readNote(storeDir)
  if (!note) return
  const { child, parent } = note
  if (isRunning(child)) {
    if (isRunning(parent))
      throw new Error(
        `${storeDir} is in use by nats-server ${child.pid}, started by process ${parent.pid}. ` +
          'Stop that process, or choose another DATA_DIR.',
      )
    log.warn('ending a nats-server whose parent was killed', { pid: child.pid, parentPid: parent.pid })
    await end(child)
  }
  forgetChild(storeDir, child.pid)
}

async function end(orphan: ProcessIdentity): Promise<void> {
  if (await endedBy(orphan, 'SIGTERM', politelyMs)) return
  if (await endedBy(orphan, 'SIGKILL', forciblyMs)) return
  throw new Error(`The orphaned nats-server ${orphan.pid} could not be ended. Kill it, then start again.`)
}

async function endedBy(orphan: ProcessIdentity, signal: NodeJS.Signals, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs
  try {
    process.kill(orphan.pid, signal)
  } catch {
    return !isRunning(orphan)
  }
  while (isRunning(orphan)) {
    if (performance.now() > deadline) return false
    await pause(pollMs)
  }
  return true
}

function readNote(storeDir: string): z.infer<typeof noteSchema> | undefined {
  try {
    return noteSchema.parse(JSON.parse(readFileSync(noteOf(storeDir), 'utf8')))
  } catch {
    return undefined
  }
}

function noteOf(storeDir: string): string {
  return join(storeDir, 'nats-server.note')
}
