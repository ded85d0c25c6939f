import { totalmem } from 'node:os'

import type { Log } from '../../actors/ports.ts'
import type { Config } from '../config/config.ts'
import type { ModelStore } from '../speech/models/store.ts'
import { voiceModels } from '../speech/models/voice-models.ts'

interface VoiceFetching {
  readonly store: Pick<ModelStore, 'fetch'>
  /** Aborted when we are told to stop. */
  readonly signal: AbortSignal
  readonly log: Log
  readonly memoryBytes?: number
}

/** The voice takes more than half a gigabyte in each process that speaks, and everything else wants its share. */
const memoryMinBytes = 3.5 * 1024 ** 3
const tellEach = 0.25

/** Fetches the neural voice while everything runs: who talks to Vaak for the first time should not hear a robot for ever. */
export async function fetchVoice(
  { ttsEngine, ttsFetch }: Pick<Config, 'ttsEngine' | 'ttsFetch'>,
  { store, signal, log, memoryBytes = totalmem() }: VoiceFetching,
): Promise<void> {
  if (!ttsFetch || ttsEngine === 'light' || memoryBytes < memoryMinBytes) return
  for (const { id: model } of voiceModels) {
    let told = 0
    const tell = ({ receivedBytes, totalBytes }: { receivedBytes: number; totalBytes: number }): void => {
      if (receivedBytes / totalBytes < told) return
      log.info('fetching the neural voice', { model, percent: Math.floor((100 * receivedBytes) / totalBytes) })
      told += tellEach
    }
    try {
      await store.fetch(model, tell, signal)
    } catch (error) {
      if (!signal.aborted) log.warn('the neural voice was not fetched: voices stay light', { model, error })
      return
    }
  }
}
