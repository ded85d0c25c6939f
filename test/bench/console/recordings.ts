import { passagesKey, transcriptKey } from '../../../actors/ids.ts'
import type { FileId, RunRef } from '../../../actors/ids.ts'
import { passagesOf } from '../../../actors/run/passages.ts'
import type { FileResult, Segment, StoredTranscript } from '../../../actors/transcript/state.ts'
import { isVisible } from '../../../actors/upload/state.ts'
import { batchesIn } from '../../support/batches.ts'
import type { LaidFile, StoredBatches } from '../../support/batches.ts'
import { aConversation } from '../../support/conversation.ts'
import type { RunStage } from '../../support/file-stages.ts'
import { ownerOf } from '../../support/service.ts'
import { wavHeader, wavSamples } from '../../support/wav-file.ts'
import type { BenchService } from '../service.ts'

/** What is there before anybody looks. */
export interface LaidRecordings {
  readonly files: number
  readonly long: FileId
  readonly hours: number
  readonly sentences: number
  readonly words: number
}

const owner = ownerOf('bench')
const filesPerBatch = 20
const secondsPerHour = 3600
/** As many as a picture of a recording has that is so long. */
const waveformPoints = 1_500
const longName = 'long.wav'
/** Nobody listens: the player has something to load. */
const audio = Buffer.concat([wavHeader(16_000), wavSamples(new Float32Array(16_000))])

/** As workers would leave them: batches of short calls, and one recording of hours, which is the newest. */
export async function layOutRecordings(
  service: BenchService,
  wanted: { readonly files: number; readonly hours: number },
): Promise<LaidRecordings> {
  const records = await batchesIn({ nats: service.nats, dataDir: service.folder })
  const short: StoredTranscript = { result: aConversation(), chunks: [] }
  for (let from = 0; from < wanted.files - 1; from += filesPerBatch) {
    const count = Math.min(filesPerBatch, wanted.files - 1 - from)
    const files = Array.from({ length: count }, (_, at): LaidFile => ({
      stage: stageAt(from + at),
      filename: `call ${from + at + 1}.wav`,
    }))
    await layOutBatch(records, files, short)
  }
  const long = hoursOf(wanted.hours)
  const [ref] = await layOutBatch(records, [{ stage: 'completed', filename: longName }], long)
  const { segments } = long.result
  const words = segments.reduce((sum, segment) => sum + segment.words.length, 0)
  return { ...wanted, long: ref!.fileId, sentences: segments.length, words }
}

/** One in twenty failed, and one in twenty is there in part. */
function stageAt(index: number): RunStage {
  const place = index % filesPerBatch
  return place === 7 ? 'failed' : place === 13 ? 'partial' : 'completed'
}

async function layOutBatch(
  records: StoredBatches,
  files: readonly LaidFile[],
  transcript: StoredTranscript,
): Promise<readonly RunRef[]> {
  const { refs } = await records.layOut(owner, files)
  const uploads = await Promise.all(refs.map(async ({ fileId }) => (await records.files.read(fileId))!.value))
  await records.listing.append(owner, uploads.filter(isVisible))
  const written = Buffer.from(JSON.stringify(transcript))
  await Promise.all(
    refs.map(async (ref, at) => {
      const [{ stage, filename = '' }, upload] = [files[at]!, uploads[at]!]
      if (upload.status === 'completed') await records.blobs.put(upload.storageKey, { bytes: audio })
      if (stage !== 'completed') return
      const searched = Buffer.from(JSON.stringify(passagesOf(filename, transcript.result)))
      await records.blobs.put(transcriptKey(ref), { bytes: written })
      await records.blobs.put(passagesKey(ref), { bytes: searched })
    }),
  )
  return refs
}

/** A conversation of two in two languages, over and over. */
function hoursOf(hours: number): StoredTranscript {
  const once = aConversation()
  const times = Math.round((hours * secondsPerHour) / once.duration_seconds)
  const segments = Array.from({ length: times }, (_, time) =>
    once.segments.map((segment) => later(segment, time * once.duration_seconds)),
  ).flat()
  const result: FileResult = {
    ...once,
    duration_seconds: times * once.duration_seconds,
    segments,
    text: segments.map(({ text }) => text).join(' '),
  }
  return {
    result,
    spoken: segments.map(({ words }) => words.map(({ word }) => word)),
    chunks: [],
    waveform: {
      seconds_per_point: result.duration_seconds / waveformPoints,
      levels: Array.from({ length: waveformPoints }, (_, at) => 100 + ((at * 37) % 800)),
    },
  }
}

function later(segment: Segment, by: number): Segment {
  const moved = <Part extends { readonly start: number; readonly end: number }>(part: Part): Part => ({
    ...part,
    start: part.start + by,
    end: part.end + by,
  })
  const { speech_information: about } = segment
  return {
    ...moved(segment),
    words: segment.words.map(moved),
    tags: segment.tags.map(moved),
    ...(about && { speech_information: { ...about, timestamps: moved(about.timestamps) } }),
  }
}
