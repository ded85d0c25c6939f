import type { Script, StoredTranscript } from '../../../actors/transcript/state.ts'
import { channelTranscript } from '../transcript/assemble.ts'
import type { MissingChunk } from '../transcript/transcribed-chunk.ts'
import { decodePlan } from './plan.ts'
import { storedChunkSchema } from './schemas.ts'
import type { SpeechPlan } from './speech-plan.ts'

/** A file's plan and results as they are stored, and what became of the other chunks. */
export interface StoredParts {
  readonly plan: Uint8Array
  readonly script: Script
  /** How many people speak, where the client said so. */
  readonly speakers?: number | undefined
  readonly done: readonly { readonly chunk: number; readonly result: Uint8Array }[]
  readonly failed: readonly { readonly chunk: number; readonly reason: string }[]
}

/** Pure: the same parts give the same transcript, byte for byte. */
export function assembleStored({ plan: bytes, script, speakers, done, failed }: StoredParts): StoredTranscript {
  const plan = decodePlan(bytes)
  const results = done
    .toSorted((one, other) => one.chunk - other.chunk)
    .map(({ chunk, result }) => ({ chunk, ...storedChunkSchema.parse(JSON.parse(Buffer.from(result).toString())) }))
  return {
    ...channelTranscript({
      chunks: results.map(({ heard }) => heard),
      durationSeconds: plan.seconds,
      script,
      channels: plan.channels,
      speechInformation: true,
      ...(speakers !== undefined && { speakers }),
      warnings: plan.warnings,
      missing: failed.map((one) => missingOf(plan, one)),
    }),
    chunks: results.map(({ heard: _heard, ...summary }) => summary),
    ...(plan.waveform && { waveform: plan.waveform }),
  }
}

function missingOf(plan: SpeechPlan, { chunk: index, reason }: StoredParts['failed'][number]): MissingChunk {
  const planned = plan.chunks[index]
  if (!planned) throw new Error(`the plan has ${plan.chunks.length} chunks, none with the number ${index}`)
  return { index, reason, chunk: planned.samples, channel: planned.channel, speech: planned.speech }
}
