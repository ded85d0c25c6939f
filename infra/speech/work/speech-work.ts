import type { Transcriber } from '../../../actors/chunk/ports.ts'
import type { Blobs, Log } from '../../../actors/ports.ts'
import type { Assembler, Planner } from '../../../actors/run/ports.ts'
import { openRoom } from '../../blobs/room.ts'
import { createAssembler } from './assembler.ts'
import { storeBleeped } from './bleeped-audio.ts'
import type { DecodeRecording } from './bleeped-audio.ts'
import { onBehalfOf } from '../threads/model-time.ts'
import type { FetchRemote, FetchShares } from './fetch-source.ts'
import { createPlanner } from './planner.ts'
import type { PlannerParts } from './planner.ts'
import { createTranscriber } from './transcriber.ts'
import type { Batching, TranscriberParts } from './transcriber.ts'
import { openWorkFolder } from './work-folder.ts'

/** Everything that a worker does with audio. */
export interface SpeechWork {
  readonly planner: Planner
  readonly transcriber: Transcriber
  readonly assembler: Assembler
  close(): Promise<void>
}

/** Where sound comes from and goes to, and how much is done together. */
export interface WorkPorts {
  readonly blobs: Blobs
  readonly log: Log
  /** Where recordings lie while they are decoded; cleared of what killed processes left. */
  readonly workFolder: string
  /** Of its disk, what recordings never use; 0 unless told. */
  readonly reserveBytes?: number
  readonly fetchRemote: FetchRemote
  /** Absent: as many as are asked for. */
  readonly fetchShares?: FetchShares
  readonly batch: Batching
}

/** What cuts and hears. */
export interface Recognition extends Pick<PlannerParts, 'cut' | 'isCurrent'>, Pick<TranscriberParts, 'transcribe'> {
  readonly decode: DecodeRecording
  close(): Promise<void>
}

export async function composeWork(recognition: Recognition, around: WorkPorts): Promise<SpeechWork> {
  const { blobs, log, workFolder, fetchRemote, fetchShares, batch, reserveBytes = 0 } = around
  const folder = await openWorkFolder(workFolder, log)
  const assembler = createAssembler(blobs)
  const room = openRoom({ folder: workFolder, reserveBytes })
  return {
    planner: createPlanner({
      blobs,
      folder,
      fetchRemote,
      ...(fetchShares && { fetchShares }),
      room,
      cut: recognition.cut,
      ...(recognition.isCurrent && { isCurrent: recognition.isCurrent }),
    }),
    transcriber: createTranscriber({
      blobs,
      batch,
      transcribe: (audio, asked) => onBehalfOf(asked.work.owner, () => recognition.transcribe(audio, asked)),
    }),
    assembler: {
      assemble: (order, chunks, signal) =>
        onBehalfOf(order.owner, async () => {
          const assembled = await assembler.assemble(order, chunks, signal)
          const { decode } = recognition
          if (order.settings.redactAudio)
            await storeBleeped({ blobs, folder, room, decode }, { order, result: assembled.result, signal })
          return assembled
        }),
    },
    async close() {
      await Promise.all([recognition.close(), assembler.close()])
    },
  }
}
