import { readlinkSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'

import { patientNiceness } from './give-way.ts'

/** A thread or a process that gives way as always, or to everything for as long as it is told to. */
export interface Patience {
  set(isPatient: boolean): void
}

/** Everybody may give way further; to come back from it the system must allow (root, or RLIMIT_NICE). Known when it was tried. */
let mayComeBack: boolean | undefined

/** The thread that asks, as the system numbers it; undefined where only processes have a priority. */
export function ownThread(): number | undefined {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')))
  } catch {
    return undefined
  }
}

/** Of a thread or a process of ours. One that could not come back is left as it is. */
export function openPatience(id: number | undefined): Patience {
  if (id === undefined) return { set: () => undefined }
  const usual = priorityOf(id)
  let isPatientNow = false
  return {
    set(isPatient) {
      if (usual === undefined || isPatient === isPatientNow || !canComeBack(id, usual)) return
      isPatientNow = isPatient
      tryPriority(id, isPatient ? patientNiceness : usual)
    },
  }
}

/** By a step that nobody notices, should it stay. */
function canComeBack(id: number, usual: number): boolean {
  mayComeBack ??= usual < patientNiceness && tryPriority(id, usual + 1) && tryPriority(id, usual)
  return mayComeBack
}

function tryPriority(id: number, priority: number): boolean {
  try {
    setPriority(id, priority)
    return true
  } catch {
    return false // it may be gone, too
  }
}

function priorityOf(id: number): number | undefined {
  try {
    return getPriority(id)
  } catch {
    return undefined
  }
}
