import type { RecordingPart } from '../../../actors/run/state.ts'
import { inTenths } from './damage.ts'

/** What is to be said of a part when it is known how long its recording is. */

/** Recordings end some milliseconds before or after what people are shown. */
const tolerableSeconds = 1

export function whyBeyond({ start }: RecordingPart, recordingSeconds: number): string | undefined {
  if (start === 0 || start < recordingSeconds) return undefined
  return `The part begins at ${start} s, and the recording has only ${inTenths(recordingSeconds)} s: there is nothing to transcribe.`
}

export function endsLate({ end = 0 }: RecordingPart, recordingSeconds: number): string | undefined {
  if (end <= recordingSeconds + tolerableSeconds) return undefined
  return `The part was to end at ${end} s, and the recording has only ${inTenths(recordingSeconds)} s.`
}

/** How long it is, in a recording of so many seconds. */
export function partSeconds({ start, end = Infinity }: RecordingPart, recordingSeconds: number): number {
  return Math.max(0, Math.min(end, recordingSeconds) - start)
}
