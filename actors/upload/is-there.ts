import { runKey } from '../ids.ts'
import type { Records } from '../ports.ts'
import type { RunState } from '../run/state.ts'
import type { FileRecords } from './ports.ts'
import { isVisible } from './state.ts'

interface ThereRecords {
  readonly files: FileRecords
  readonly runs: Pick<Records<RunState>, 'read'>
}

/** False when the user deleted the file. What came as an address has no record: its deletion ends the runs themselves. */
export async function isFileThere({ files, runs }: ThereRecords, run: RunState): Promise<boolean> {
  if (run.isTied) return true
  if (run.source.type === 'url') {
    const now = await runs.read(runKey(run))
    return now !== undefined && now.value.progress.phase !== 'gone'
  }
  const file = await files.read(run.fileId)
  return file !== undefined && isVisible(file.value)
}
