import type { Log } from '../../actors/ports.ts'
import { ending } from '../close.ts'
import type { RunningRealtimeServer } from '../server.ts'

interface RevocationsPorts {
  readonly server: Pick<RunningRealtimeServer, 'keyIds' | 'endSessionsOf'>
  /** Those of the ids whose keys are no more. */
  readonly revoked: (keyIds: readonly string[]) => Promise<readonly string[]>
  readonly everyMs: number
  readonly log: Log
}

/**
 * Looks again and again whether the keys still stand that sessions were opened with, and ends the sessions of those that
 * do not. While keys cannot be read, sessions go on.
 */
export function watchRevocations({ server, revoked, everyMs, log }: RevocationsPorts): { close(): void } {
  let isClosed = false
  let timer = next()

  function next(): NodeJS.Timeout {
    return setTimeout(() => void look(), everyMs).unref()
  }

  async function look(): Promise<void> {
    try {
      const keyIds = server.keyIds()
      const gone = keyIds.length === 0 ? [] : await revoked(keyIds)
      for (const keyId of gone) server.endSessionsOf(keyId, why)
      if (gone.length > 0) log.info('sessions of revoked keys ended', { keys: gone.length })
    } catch (error) {
      log.warn('keys of open sessions not read', { error })
    }
    if (!isClosed) timer = next()
  }

  return {
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

const why = ending('invalid_api_key', 'The API key that opened this session was revoked. Connect with another one.')
