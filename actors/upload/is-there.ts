import type { RunState } from '../run/state.ts'
import type { FileRecords } from './ports.ts'
import { isVisible } from './state.ts'

/** False when the user deleted the uploaded file. What came as an address has no record: its deletion ends the runs themselves. */
export async function isUploadThere(files: FileRecords, { source, fileId }: RunState): Promise<boolean> {
  if (source.type === 'url') return true
  const file = await files.read(fileId)
  return file !== undefined && isVisible(file.value)
}
