import type { TranscribeSettings } from '../run/state.ts'
import type { StoredChunk } from '../transcript/state.ts'
import type { ChunkWork } from './protocol.ts'

/** Hears the audio of one chunk. */
export interface Transcriber {
  transcribe(
    work: ChunkWork,
    settings: TranscribeSettings,
    signal: AbortSignal,
  ): Promise<Omit<StoredChunk, 'attempts' | 'startedAtMs' | 'tookMs'>>
}
