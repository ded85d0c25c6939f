import { setTimeout as pause } from 'node:timers/promises'

import { retryable, terminal } from '../../../actors/failure.ts'
import { runFolder } from '../../../actors/ids.ts'
import type { RunRef } from '../../../actors/ids.ts'
import type { Blobs } from '../../../actors/ports.ts'
import { untilAborted } from '../../timing/until-aborted.ts'
import type { ScriptCommand } from './script.ts'

interface ScriptScene {
  readonly stage: ScriptCommand['stage']
  readonly run: RunRef
  readonly chunk: number
  readonly signal: AbortSignal
}

/** Does what the commands for a stage say; true when the words are to vary. */
export async function perform(blobs: Blobs, commands: readonly ScriptCommand[], scene: ScriptScene): Promise<boolean> {
  let varies = false
  for (const [index, command] of commands.entries())
    if (command.stage === scene.stage && (await isDue(blobs, command, { ...scene, index }))) {
      if (command.act === 'vary') varies = true
      else await act(command, scene.signal)
    }
  return varies
}

/** As the release before calls them in storage, beside which tests run this one. */
const storedNames = { plan: 'plan', transcribe: 'hear', assemble: 'assemble' } as const

/** Counted by objects that only one caller can create, so that it holds when the process dies of what comes next. */
async function isDue(blobs: Blobs, { times }: ScriptCommand, scene: ScriptScene & { index: number }): Promise<boolean> {
  if (times === 0) return true
  const folder = `${runFolder(scene.run)}scripted/${storedNames[scene.stage]}-${scene.chunk}-${scene.index}/`
  for (let time = 1; time <= times; time += 1)
    if ((await blobs.put(`${folder}${time}`, { bytes: new Uint8Array() }, { ifAbsent: true })) === 'stored') return true
  return false
}

async function act(command: ScriptCommand, signal: AbortSignal): Promise<void> {
  switch (command.act) {
    case 'wait':
      return untilAborted(signal, () => pause(command.ms, undefined, { signal }))
    case 'retryable':
      throw retryable('overloaded', 'The script says that this fails and may be tried again.')
    case 'terminal':
      throw terminal('unsupported_media', 'The script says that this fails for good.')
    case 'hang':
      return untilAborted(signal, () => new Promise(() => undefined))
    case 'kill':
      process.kill(process.pid, 'SIGKILL')
      return new Promise(() => undefined)
    case 'vary':
  }
}
