import type { AssembledTranscript, StoredTranscript } from '../../../actors/transcript/state.ts'
import { redact } from '../redaction/redact.ts'
import { textWithin } from '../redaction/text-within.ts'
import { channelTranscript } from '../transcript/assemble.ts'
import type { MissingChunk } from '../transcript/transcribed-chunk.ts'
import { decodePlan } from './plan.ts'
import { receiptOf } from './receipt.ts'
import { storedChunkSchema } from './schemas.ts'
import type { SpeechPlan } from './speech-plan.ts'
import type { StoredParts } from './stored-parts.ts'

/** Pure: the same parts give the same transcript, byte for byte. */
export function assembleStored(parts: StoredParts): AssembledTranscript {
  const { plan: bytes, script, speakers, done, failed, redact: kinds } = parts
  const plan = decodePlan(bytes)
  const results = done
    .toSorted((one, other) => one.chunk - other.chunk)
    .map(({ chunk, result }) => ({ chunk, ...storedChunkSchema.parse(JSON.parse(Buffer.from(result).toString())) }))
  const said = channelTranscript({
    chunks: results.map(({ heard }) => heard),
    durationSeconds: (plan.startSeconds ?? 0) + plan.seconds,
    script,
    channels: plan.channels,
    speechInformation: true,
    ...(speakers !== undefined && { speakers }),
    warnings: plan.warnings,
    missing: failed.map((one) => missingOf(plan, one)),
  })
  const chunks = results.map(({ heard: _heard, ...summary }) => summary)
  const shown = kinds ? redact(said, kinds) : said
  const receipt = receiptOf({ ...parts, plan, done: results, result: shown.result })
  return {
    ...shown,
    // what a chunk said by itself may be a part of what was taken out
    chunks: kinds
      ? chunks.map((summary) => ({ ...summary, text: textWithin(shown.result, channelIn(plan, summary)) }))
      : chunks,
    ...(plan.waveform && { waveform: plan.waveform }),
    ...(receipt && { receipt }),
    ...(kinds && parts.keepUnredacted && { unredacted: said }),
  }
}

function channelIn(plan: SpeechPlan, { chunk, start, end }: StoredTranscript['chunks'][number]) {
  return { start, end, ...(plan.channels > 1 && { channel: plan.chunks[chunk]?.channel ?? 0 }) }
}

function missingOf(plan: SpeechPlan, { chunk: index, reason }: StoredParts['failed'][number]): MissingChunk {
  const planned = plan.chunks[index]
  if (!planned) throw new Error(`the plan has ${plan.chunks.length} chunks, none with the number ${index}`)
  return { index, reason, chunk: planned.samples, channel: planned.channel, speech: planned.speech }
}
