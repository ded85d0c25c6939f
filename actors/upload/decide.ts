import { unreachable } from '../decision.ts'
import { uploadKey } from '../ids.ts'
import type { UploadCommand, UploadEffect } from './protocol.ts'
import { factsOf } from './state.ts'
import type { CompletedFile, FileFacts, UploadedFile } from './state.ts'

/**
 * What a command makes of a file. Total: every command is allowed in every state, and one that comes late or twice changes
 * nothing (the same object comes back, so that nobody writes it again).
 */
export function decide(file: UploadedFile, command: UploadCommand): UploadedFile {
  if (file.status === 'purging') return file
  switch (command.type) {
    case 'Begin':
      return file.status === 'pending' ? { ...factsOf(file), status: 'uploading' } : file
    case 'Stored':
      return isUploadSettled(file) ? file : storedAt(file, command.storageKey)
    case 'Share':
      return file.status === 'completed' && !file.isShared ? { ...file, isShared: true } : file
    case 'GiveUp':
      return isUploadSettled(file) ? file : { ...factsOf(file), status: 'failed', reason: command.reason }
    case 'Purge':
      // what is still owed to it needs no name, and its record may be there for a while
      return { ...factsOf(file), filename: '', status: 'purging', ...(isShared(file) && { isShared: true }) }
    default:
      return unreachable(command)
  }
}

/** What must be done while a file is in this state; nothing when it waits for its turn. */
export function owedByUpload(file: UploadedFile | undefined): UploadEffect[] {
  if (!file || file.status === 'purging') return [{ type: 'Discard' }, { type: 'Release' }]
  const { status } = file
  if (status === 'pending') return []
  return [{ type: 'List', status }, status === 'uploading' ? { type: 'Store' } : { type: 'Release' }]
}

export function isUploadSettled(file: UploadedFile): boolean {
  return file.status === 'completed' || file.status === 'failed'
}

/** What another file came with is not only its own. */
export function storedAt(file: FileFacts, storageKey: string): CompletedFile {
  const isElsewhere = storageKey !== uploadKey(file)
  return { ...factsOf(file), status: 'completed', storageKey, ...(isElsewhere && { isShared: true }) }
}

function isShared(file: UploadedFile): boolean {
  return file.status === 'completed' && file.isShared === true
}
