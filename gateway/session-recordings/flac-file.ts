import { flacFrame, flacFrameAt, flacHeader } from '../../infra/speech/audio/signal/flac-frames.ts'
import { recordedFrameSamples } from '../../actors/session-recording/ports.ts'
import type { StoredRecording } from '../../actors/session-recording/ports.ts'

const silence = new Int16Array(recordedFrameSamples)

/** The recording as a file: where nothing was stored, because a server died or nobody was connected, there is silence. */
export async function* flacFile(recording: StoredRecording): AsyncGenerator<Uint8Array> {
  yield flacHeader(recording.frames)
  let next = 0
  for await (const { number, bytes } of recording.content()) {
    for (; next < number; next += 1) yield flacFrame(next, silence, silence)
    yield flacFrameAt(number, bytes)
    next = number + 1
  }
  for (; next < recording.frames; next += 1) yield flacFrame(next, silence, silence)
}
