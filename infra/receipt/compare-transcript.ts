import type { ReceiptFinding, ReceivedFile } from './received-file.ts'
import { resultDigests } from './result-digests.ts'

/** More of them would only fill the screen. */
const namedMax = 10
const secondsAMinute = 60

/** Whether this is what was transcribed, word for word and second for second; otherwise where it differs. */
export function compareTranscript(file: ReceivedFile): ReceiptFinding {
  const differences = differencesOf(file)
  if (differences.length === 0)
    return { what: 'transcript', holds: true, sentence: 'The transcript is as it was transcribed.' }
  return { what: 'transcript', holds: false, sentence: `${reasonOf(file)} ${differences.join(' ')}` }
}

function reasonOf({ edits, result, receipt }: ReceivedFile): string {
  if (edits)
    return `The text was edited since it was transcribed (version ${edits.version}, ${edits.edited_at}); \`original=true\` reads what was transcribed.`
  const { script } = receipt.content.options
  if (script !== undefined && result['script'] !== script)
    return `The transcript is written in the script ${String(result['script'])}, and the receipt is of ${script}.`
  return 'The transcript is not as it was transcribed: it was changed, or read with other figures or without tags.'
}

function differencesOf({ file_id: fileId, result, receipt: { content } }: ReceivedFile): string[] {
  const given = resultDigests(result)
  const told = content.result
  const names = new Set([...Object.keys(told.fields), ...Object.keys(given.fields)])
  const fields = [...names].filter((name) => told.fields[name] !== given.fields[name]).sort()
  return [
    ...(content.file_id === fileId ? [] : ['The receipt is of another file.']),
    ...(fields.length === 0 ? [] : [`Fields that differ: ${someOf(fields)}.`]),
    ...differentSegments(result.segments, { told: told.segments, given: given.segments }),
  ]
}

type Segments = ReceivedFile['result']['segments']

function differentSegments(
  segments: Segments,
  { told, given }: { readonly told: readonly string[]; readonly given: readonly string[] },
): string[] {
  if (told.length === given.length && told.every((digest, at) => digest === given[at])) return []
  const [known, here] = [new Set(told), new Set(given)]
  const changed = segments.flatMap((segment, at) => (known.has(given[at]!) ? [] : [placeOf(segment, at)]))
  const missing = told.flatMap((digest, at) => (here.has(digest) ? [] : [String(at + 1)]))
  const sentences = [
    ...(changed.length === 0 ? [] : [`Segments that were not transcribed so: ${someOf(changed)}.`]),
    ...(missing.length === 0 ? [] : [`Segments of the original that are not there: ${someOf(missing)}.`]),
  ]
  return sentences.length === 0 ? ['Its segments are in another order, or repeated.'] : sentences
}

function placeOf({ start, end }: Segments[number], at: number): string {
  return `${at + 1} (${clock(start)} to ${clock(end)})`
}

function clock(seconds: number): string {
  const rest = (seconds % secondsAMinute).toFixed(1).padStart(4, '0')
  return `${Math.floor(seconds / secondsAMinute)}:${rest}`
}

function someOf(all: readonly string[]): string {
  const more = all.length - namedMax
  return more > 0 ? `${all.slice(0, namedMax).join(', ')} and ${more} more` : all.join(', ')
}
