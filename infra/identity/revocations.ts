import type { Log } from '../../actors/ports.ts'

interface RevocationsPorts {
  /** What was opened with keys and goes on. */
  readonly opened: {
    keyIds(): readonly string[]
    endAllOf(keyId: string): void
  }
  /** Those of the ids whose keys are no more. */
  readonly revoked: (keyIds: readonly string[]) => Promise<readonly string[]>
  readonly everyMs: number
  readonly log: Log
}

/**
 * Looks again and again whether the keys still stand that something was opened with, and ends what was opened with those
 * that do not. While keys cannot be read, it goes on.
 */
export function watchRevocations({ opened, revoked, everyMs, log }: RevocationsPorts): { close(): void } {
  let isClosed = false
  let timer = next()

  function next(): NodeJS.Timeout {
    return setTimeout(() => void look(), everyMs).unref()
  }

  async function look(): Promise<void> {
    try {
      const keyIds = opened.keyIds()
      const gone = keyIds.length === 0 ? [] : await revoked(keyIds)
      for (const keyId of gone) opened.endAllOf(keyId)
      if (gone.length > 0) log.info('what revoked keys had opened is ended', { keys: gone.length })
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
