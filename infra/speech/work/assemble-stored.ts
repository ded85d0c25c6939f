import type { StoredTranscript } from '../../../actors/transcript/state.ts'
import { channelTranscript } from '../transcript/assemble.ts'
import type { MissingChunk } from '../transcript/transcribed-chunk.ts'
import { decodePlan } from './plan.ts'
import { receiptOf } from './receipt.ts'
import { storedChunkSchema } from './schemas.ts'
import type { SpeechPlan } from './speech-plan.ts'
import type { StoredParts } from './stored-parts.ts'

/** Pure: the same parts give the same transcript, byte for byte. */
export function assembleStored(parts: StoredParts): StoredTranscript {
  const { script, speakers, done, failed } = parts
  const plan = decodePlan(parts.plan)
  const results = done
    .toSorted((one, other) => one.chunk - other.chunk)
    .map(({ chunk, result }) => ({ chunk, ...storedChunkSchema.parse(JSON.parse(Buffer.from(result).toString())) }))
  const transcript = channelTranscript({
    chunks: results.map(({ heard }) => heard),
    durationSeconds: plan.seconds,
    script,
    channels: plan.channels,
    speechInformation: true,
    ...(speakers !== undefined && { speakers }),
    warnings: plan.warnings,
    missing: failed.map((one) => missingOf(plan, one)),
  })
  const receipt = receiptOf({ ...parts, plan, done: results, result: transcript.result })
  return {
    ...transcript,
    chunks: results.map(({ heard: _heard, ...summary }) => summary),
    ...(plan.waveform && { waveform: plan.waveform }),
    ...(receipt && { receipt }),
  }
}

function missingOf(plan: SpeechPlan, { chunk: index, reason }: StoredParts['failed'][number]): MissingChunk {
  const planned = plan.chunks[index]
  if (!planned) throw new Error(`the plan has ${plan.chunks.length} chunks, none with the number ${index}`)
  return { index, reason, chunk: planned.samples, channel: planned.channel, speech: planned.speech }
}
