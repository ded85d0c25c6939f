import { has, members, minus, missing, size } from '../../actors/bitset.ts'
import type { Bitset } from '../../actors/bitset.ts'
import { cancelledCode } from '../../actors/run/chunk-errors.ts'
import { chunkResultKey, passagesKey, transcriptKey, trialFolder } from '../../actors/ids.ts'
import { chunkErrorsOf, chunksOf } from '../../actors/run/state.ts'
import type { Chunks, RunProgress, RunState, FinishedRun, StepError } from '../../actors/run/state.ts'
import type { StoredPassages } from '../../actors/search/state.ts'
import type { Platform } from './platform-parts.ts'
import { recordingOf } from './scenario.ts'
import type { StoreChange } from './stores.ts'
import type { World } from './world.ts'

const orderFields = [
  'owner',
  'batchId',
  'fileId',
  'index',
  'filename',
  'source',
  'settings',
  'acceptedAtMs',
  'estimatedSeconds',
] as const

/** What must hold at every change of the record of a file in a batch. */
export function checkRun(platform: Platform, [key, before, after]: StoreChange<RunState>): void {
  const complain = (sentence: string): void => platform.world.violate(`${sentence} (${key})`)
  if (!after) {
    // one whose turn came at that moment is ended before it began
    const { doomed, doomedBatches } = platform.promises
    const isDoomed = before && (doomed.has(before.fileId) || doomedBatches.has(before.batchId))
    if (before && before.progress.phase !== 'gone' && !isDoomed)
      complain('I12: a file was forgotten that was not deleted')
    return
  }
  if (!before) {
    // what was deleted before it was issued is noticed by whoever takes it up
    if (after.progress.phase !== 'queued') complain('I12: a deleted file came back')
    return
  }
  const { progress: old } = before
  const { progress: now } = after
  if (now.phase !== 'gone' && !isSameOrder(before, after)) complain('an order changed')
  if (old.phase === 'gone') complain('I12: a deleted file went on')
  if (old.phase === 'finished' && now.phase !== 'gone') checkFinal(old, now, complain)
  const chunks = chunksOf(now)
  if (chunks && isChanged(chunksOf(old), chunks))
    checkChunks(platform, { chunks, before: chunksOf(old), file: after }, complain)
  if (now.phase === 'assembling' && chunks && size(chunks.done) + size(chunks.failed) !== chunks.total)
    complain('I3: put together before all chunks have settled')
  if (now.phase === 'finished' && old.phase !== 'finished') {
    if (now.outcome !== 'failed') checkTranscript(platform, after, complain)
    if (platform.promises.deleted.has(after.fileId)) complain('I12: a deleted file finished')
  }
  const known = errorsOf(old)
  for (const error of errorsOf(now)) if (!known.includes(error)) checkError(platform, { file: after, error }, complain)
}

function isSameOrder(before: RunState, after: RunState): boolean {
  return orderFields.every((field) => before[field] === after[field])
}

type Complain = (sentence: string) => void

/** News of chunks under way change nothing that is counted. */
function isChanged(before: Chunks | undefined, after: Chunks): boolean {
  return (
    before?.done !== after.done ||
    before.failed !== after.failed ||
    before.issued !== after.issued ||
    before.total !== after.total ||
    Object.keys(before.active).length !== Object.keys(after.active).length
  )
}

/** The outcome stays (I2); only the bits of chunks that were under way when the fan-out failed go on. */
function checkFinal(old: FinishedRun, now: RunProgress, complain: Complain): void {
  const { chunks: _before, ...outcomeBefore } = old
  const { chunks: _after, ...outcomeAfter } = { chunks: undefined, ...now }
  if (JSON.stringify(outcomeBefore) !== JSON.stringify(outcomeAfter)) complain('I2: an outcome changed')
}

function checkChunks(
  platform: Platform,
  input: { chunks: Chunks; before: Chunks | undefined; file: RunState },
  complain: Complain,
): void {
  const { chunks, before, file } = input
  const { total, issued, done, failed, active } = chunks
  const { limits } = platform.scenario
  if (total !== recordingOf(platform.scenario, file.fileId).chunks.length) complain('I3: a wrong total')
  if (members(done).some((chunk) => has(failed, chunk))) complain('I3: a chunk is done and failed')
  if (size(done) + size(failed) > total) complain('I3: more chunks settled than there are')
  if ([...members(done), ...members(failed)].some((chunk) => chunk >= issued))
    complain('I3: settled before it was issued')
  if (issued > total || issued < (before?.issued ?? 0)) complain('the number of issued chunks is wrong')
  if (missing(issued, done, failed).length > limits.fileWindow) complain('the window of the file is exceeded')
  if (Object.keys(active).some((chunk) => has(done, Number(chunk)) || has(failed, Number(chunk))))
    complain('a settled chunk is still under way')
  if (before && (!contains(done, before.done) || !contains(failed, before.failed)))
    complain('I2: a chunk was unsettled')
  for (const chunk of members(before ? minus(done, before.done) : done))
    if (platform.objects.get(chunkResultKey(file, chunk)) === undefined)
      complain(`I4: chunk ${chunk} is done without a result`)
}

function contains(set: Bitset, part: Bitset): boolean {
  return size(minus(part, set)) === 0
}

function checkTranscript(platform: Platform, file: RunState, complain: Complain): void {
  const stored = platform.objects.get(transcriptKey(file))
  if (stored === undefined) return complain('I5: finished without a transcript')
  const expected = members(chunksOf(file.progress)?.done ?? ('' as Bitset)).map((chunk) => {
    const result: { text: string } = JSON.parse(platform.objects.get(chunkResultKey(file, chunk)) ?? '{}')
    return `${chunk}:${result.text}`
  })
  const transcript: { result: { text: string } } = JSON.parse(stored)
  if (transcript.result.text !== expected.join(' ')) complain('I4: the transcript is not what its chunks say')
  const searched: StoredPassages = JSON.parse(platform.objects.get(passagesKey(file)) ?? '{"passages":[]}')
  if (
    searched.passages
      .flat()
      .map(([word]) => word)
      .join(' ') !== transcript.result.text
  )
    complain('a finished file cannot be searched')
}

function errorsOf(progress: RunProgress): readonly StepError[] {
  const ofChunks = chunkErrorsOf(chunksOf(progress)?.errors ?? [])
  return progress.phase === 'finished' ? [...ofChunks, ...progress.errors] : ofChunks
}

/** What is away comes back: that costs time, never work. */
const awayCodes = new Set(['broker_unavailable', 'storage_unavailable', 'models_unavailable', 'disk_full'])

/** Nothing fails but for a reason. */
function checkError(platform: Platform, input: { file: RunState; error: StepError }, complain: Complain): void {
  const { file, error } = input
  const { limits } = platform.scenario
  if (error.code === 'not_found' && !platform.promises.doomed.has(file.fileId))
    complain(`something was missing: ${error.message}`)
  if (error.code === cancelledCode) {
    if (!platform.promises.cancelled.has(file.batchId)) complain('cancelled by nobody')
    return
  }
  if (awayCodes.has(error.code)) complain(`failed for good because something was away: ${error.message}`)
  const recording = recordingOf(platform.scenario, file.fileId)
  const behaviour = error.chunk === undefined ? undefined : recording.chunks[error.chunk]
  const own = behaviour === undefined ? [recording.plan, recording.assemble] : [behaviour]
  if (isHarmless(platform) && own.every((one) => one === 'fine')) complain(`an outage was its end: ${error.message}`)
  if (error.code === 'fan_out_failed' && !error.message.includes('overloaded'))
    complain(`failed for no reason: ${error.message}`)
  if (behaviour && error.code === 'worker_failed' && behaviour !== 'puzzling') complain('a bug in the work on a chunk')
  if (error.code === 'deadline_exceeded' && behaviour && behaviour !== 'hanging' && isPrompt(platform))
    complain('a chunk failed because somebody else took long')
  if (error.attempts > limits.retry.retriesMax + 1) complain('I8: more attempts than are allowed')
  if (error.code !== 'worker_lost' || !error.message.includes('died')) return
  const works = error.chunk === undefined ? ['plan', 'assemble'] : [String(error.chunk)]
  const folders = works.map((work) => trialFolder(file, `${work}.${error.attempts}`))
  // the first who died left none, and who gave it up left one
  if (!folders.some((folder) => marksIn(platform, folder) >= limits.deathsMax))
    complain('I8: given up as deadly before enough have died')
}

function marksIn({ objects }: Platform, folder: string): number {
  return [...objects.used].filter((key) => key.startsWith(folder)).length
}

/** Nothing goes wrong but that storage is away, and no recording kills its worker, and perhaps its neighbours. */
function isHarmless({ scenario }: Platform): boolean {
  const recordings = [...scenario.recordings.values()]
  const isDeadly = recordings.some(({ plan, assemble, chunks }) => [plan, assemble, ...chunks].includes('deadly'))
  return scenario.kind === 'outage' && !isDeadly
}

/** Nothing is slow but what hangs. */
function isPrompt({ world, scenario }: Platform): boolean {
  return scenario.weather.slow === 0 && !world.counts.has('pause')
}

/** The first result stays, and so do the first transcript, what it is searched by, and what came of inquiries. */
export function checkReplaced(world: World, key: string): void {
  if (/\/(?:chunk\/\d+|transcript|outcome)$|^search\//.test(key)) world.violate(`I4: ${key} was overwritten`)
}
