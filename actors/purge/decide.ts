import type { Decision } from '../decision.ts'
import { unreachable } from '../decision.ts'
import type { UploadId } from '../ids.ts'
import type { PurgeCommand, PurgeEffect } from './protocol.ts'
import type { Purge } from './state.ts'

/** Owed is its doing until it is done; and its forgetting when it has been done for long enough. */
export function decide(purge: Purge | undefined, command: PurgeCommand): Decision<Purge | undefined, PurgeEffect> {
  switch (command.type) {
    case 'Promise':
      return { state: purge ?? command.purge, effects: purge?.isDone ? [] : [{ type: 'Remove' }] }
    case 'Removed':
      return { state: purge && !purge.isDone ? done(purge, command.uploadIds) : purge, effects: [] }
    case 'Lingered':
      return { state: purge, effects: purge?.isDone ? [{ type: 'Forget' }] : [] }
    case 'Wake':
      return { state: purge, effects: purge && !purge.isDone ? [{ type: 'Remove' }] : [] }
    default:
      return unreachable(command)
  }
}

function done(purge: Purge, uploadIds: readonly UploadId[]): Purge {
  return { ...purge, isDone: true, ...(uploadIds.length > 0 && { uploadIds }) }
}
