import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Ledger } from '../clients/ledger.ts'
import type { FaultEvent, History } from '../history.ts'
import { pace, slots } from '../rig/rig.ts'
import type { RigProfile, Rig } from '../rig/rig.ts'

/** How often chunks were heard, and how often the recordings themselves ask for it. */
export interface Calls {
  readonly chunks: number
  readonly expected: number
  readonly made: number
  readonly allowed: number
}

interface BudgetOptions {
  readonly rig: Rig
  readonly ledger: Ledger
  readonly history: History
  readonly profile: RigProfile
  /** Copies of chunk messages that the rig sent. */
  readonly copies: number
  /** How often the rig itself, through which everything passes, stood still. */
  readonly stalls: number
}

/** Whatever was in hand when something broke may be heard again; what was never in danger may not. */
export async function checkBudget({ rig, ledger, history, profile, copies, stalls }: BudgetOptions): Promise<Calls> {
  const { chunks, expected } = wanted(ledger)
  const made = await callsIn(join(rig.disk.folder, 'objects', 'stored', 'transcripts'), ledger)
  const allowed =
    expected +
    copies +
    stalls * slots.chunks * rig.workers.length +
    history.faults.reduce((sum, fault) => sum + mayRepeat(fault, rig.workers.length, profile), 0)
  if (made > allowed)
    history.complain('budget', `${made} calls for ${chunks} chunks; ${allowed} would have been explained by the faults`)
  return { chunks, expected, made, allowed }
}

/** Deleted files take their marks with them. */
function wanted(ledger: Ledger): { chunks: number; expected: number } {
  let chunks = 0
  let expected = 0
  for (const { fileIds } of ledger.batches.values())
    for (const fileId of fileIds) {
      const file = ledger.files.get(fileId)
      if (file?.life !== 'there') continue
      chunks += file.recording.chunks.length
      expected += file.recording.calls
    }
  return { chunks, expected }
}

async function callsIn(folder: string, ledger: Ledger): Promise<number> {
  const paths = await readdir(folder, { recursive: true })
  return paths.filter((path) => {
    const [, fileId = ''] = path.split('/')
    // <owner>/<file>/<batch>/scripted/hear-<chunk>-0/<call>
    return /\/scripted\/hear-\d+-0\/\d+$/.test(path) && ledger.files.get(fileId)?.life === 'there'
  }).length
}

/** Once for each ack wait that it lasted, what one worker or all of them had in hand. */
function mayRepeat({ area, kind, atMs, endMs = atMs }: FaultEvent, workers: number, profile: RigProfile): number {
  if (area === 'gateways' || area === 'messages') return 0
  const isOne = area === 'workers' && kind !== 'thundering-herd'
  const handling = slots.chunks * (isOne ? 1 : workers)
  return handling * (1 + Math.ceil((endMs - atMs) / pace(profile).ackWaitMs))
}
