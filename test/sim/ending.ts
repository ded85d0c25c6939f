import { runKey } from '../../actors/ids.ts'
import type { BatchId, FileId } from '../../actors/ids.ts'
import { checkBatchList, listedBatches } from './batch-list.ts'
import { checkInquiries } from './inquiries.ts'
import { checkCalls } from './webhooks.ts'
import type { Platform } from './platform-parts.ts'
import { checkSameBytes, bytesReferredTo } from './same-bytes.ts'
import { isOversized } from './scenario.ts'
import { calm } from './weather.ts'

/** Nothing is owed to anybody any more. */
export function isWorldSettled(platform: Platform): boolean {
  const { world, open, purges, openInquiries, streams, promises } = platform
  if (promises.open > 0 || streams.some(({ messages }) => messages.size > 0)) return false
  if (open.count() > 0 || purges.count() > 0 || openInquiries.count() > 0 || isCallOwed(platform)) return false
  for (const { ongoing } of world.processes) if (ongoing.size > 0) return false
  return true
}

/** Where nobody sweeps, an entry of a call that has settled, or of a batch that is deleted, which was made once more, stays. */
function isCallOwed({ owedCalls, batches, webhooks, scenario }: Platform): boolean {
  if (owedCalls.count() === 0) return false
  const batchIds = owedCalls.keys().map((key) => key.split('.')[1] ?? '')
  const standings = batchIds.map((batchId) => batches.get(batchId) && (webhooks.get(batchId)?.standing ?? 'waiting'))
  return scenario.sweepers > 0 || standings.includes('waiting')
}

/** What is still owed: for whoever asks why it did not end. */
export function whatIsOwed({ open, purges, owedCalls, openInquiries, streams, runs, promises }: Platform): string {
  const messages = streams.flatMap((stream) => [...stream.messages].map(({ id }) => id))
  const phases = runs.keys().map((key) => `${key} ${runs.get(key)?.progress.phase}`)
  return JSON.stringify({
    clients: promises.open,
    open: open.keys(),
    purges: purges.keys(),
    calls: owedCalls.keys(),
    inquiries: openInquiries.keys(),
    messages,
    phases,
  })
}

/** What must hold when everything has settled; complaints, if there are any. */
export function checkEnd(platform: Platform): string[] {
  const { batches, runs, members, quotas, waiting, promises } = platform
  const complaints: string[] = []
  for (const batchId of promises.accepted)
    if (batches.get(batchId)?.finishedAtMs === undefined && !promises.doomedBatches.has(batchId))
      complaints.push(`I1: ${batchId} was promised and has not finished`)
  for (const key of batches.keys())
    if (batches.get(key)?.finishedAtMs === undefined) complaints.push(`I7: batch ${key} has not finished`)
  for (const key of runs.keys()) {
    const phase = runs.get(key)?.progress.phase
    if (phase !== 'finished' && phase !== 'gone') complaints.push(`I7: file ${key} is ${phase}`)
  }
  for (const owner of quotas.keys()) {
    const left = Object.keys(quotas.get(owner)?.reserved ?? {})
    if (left.length > 0) complaints.push(`I13: quota of ${owner} is held by ${left.join()}`)
  }
  for (const key of waiting.keys()) complaints.push(`files still wait in a batch that has ended: ${key}`)
  for (const key of members.keys())
    if (!batches.get(key.split('.')[0] ?? '')) complaints.push(`the names of a batch that never was are kept: ${key}`)
  for (const fileId of promises.doomed) complaints.push(...checkDeleted(platform, fileId))
  for (const batchId of promises.doomedBatches) complaints.push(...checkDeletedBatch(platform, batchId))
  for (const check of [
    checkBatchList,
    checkParts,
    checkDeaths,
    checkMarks,
    checkEconomy,
    checkCalls,
    checkInquiries,
    checkSetAside,
    checkSameBytes,
  ])
    complaints.push(...check(platform))
  return complaints
}

/** No trace of it (I12). */
function checkDeleted(platform: Platform, fileId: FileId): string[] {
  const { objects, files, uploads, runs, members, listed } = platform
  // what it came with stays as long as another refers to it
  const referred = bytesReferredTo(platform)
  const stored = [...objects.keys()].filter((key) => !referred.has(key))
  const records = [...files.keys(), ...uploads.keys(), ...runs.keys()]
  const names = members.keys().filter((key) => members.get(key)?.files.some((member) => member?.fileId === fileId))
  return [
    ...stored.filter((key) => key.includes(fileId)).map((key) => `I12: ${key} of a deleted file`),
    ...records.filter((key) => key.startsWith(fileId)).map((key) => `I12: the record ${key} of a deleted file`),
    ...names.map((key) => `I12: the name of deleted ${fileId} in ${key}`),
    ...(listed.has(fileId) ? [`I12: deleted ${fileId} is in the list`] : []),
  ]
}

function checkDeletedBatch(platform: Platform, batchId: BatchId): string[] {
  const { objects, batches, members, runs, open, webhooks, owedCalls } = platform
  const records = [batches, members, runs, open, webhooks, owedCalls].flatMap((store) => store.keys())
  return [
    ...[...objects.keys()].filter((key) => key.includes(batchId)).map((key) => `I12: ${key} of a deleted batch`),
    ...records.filter((key) => key.includes(batchId)).map((key) => `I12: the record ${key} of a deleted batch`),
    ...(listedBatches(platform).has(batchId) ? [`I12: deleted ${batchId} is in the list`] : []),
  ]
}

/** Audio of chunks that nobody needs any more goes, unless it is to be kept, whoever stored it; and so does what they say that is redacted. */
function checkParts({ objects, scenario }: Platform): string[] {
  const { limits, redacts } = scenario
  const folders = [...(limits.saveAudio && !redacts ? [] : ['/audio/']), ...(redacts ? ['/chunk/'] : [])]
  return [...objects.keys()]
    .filter((key) => folders.some((folder) => key.includes(folder)))
    .map((key) => `audio, or what was said in it, is left: ${key}`)
}

/** Only who dies leaves a mark, or who stands still or cannot take it away. */
function checkMarks({ objects, world }: Platform): string[] {
  const marks = [...objects.keys()].filter((key) => key.includes('/trial/'))
  const causes = ['crash', 'pause', 'storage unavailable'].map((cause) => world.counts.get(cause) ?? 0)
  return marks.length > causes.reduce((sum, count) => sum + count) ? [`I8: marks without a death: ${marks.join()}`] : []
}

/**
 * Each message of a piece of work may be the death of so many and no more, but for those that the broker forgot. Who cut a short file may
 * die of the rest of it, once for each time that it was handed out to be cut.
 */
function checkDeaths({ scenario, oracle, world }: Platform): string[] {
  const forgotten = world.counts.get('forgotten delivery') ?? 0
  const { deathsMax, finishesShort } = scenario.limits
  const cut = (on: string): number => (finishesShort ? (oracle.messages.get(planOf(on)) ?? 0) : 0)
  return [...oracle.deaths]
    .filter(([on, deaths]) => deaths > deathsMax * (oracle.messages.get(on) ?? 0) + cut(on) + forgotten)
    .map(([on, deaths]) => `I8: ${deaths} died of ${on}`)
}

/** The name of the step by which work on the same file began. */
function planOf(on: string): string {
  return `plan ${on.split(' ')[1]}`
}

/** Only what cannot be stored is set aside, and whoever waited for it was told in a sentence. */
function checkSetAside({ deadLetters, runs, scenario }: Platform): string[] {
  return [...deadLetters].flatMap(([id, body]) => {
    const ref = 'ref' in body ? body.ref : body
    if (!('fileId' in ref) || 'inquiryId' in ref) return [`${id} was set aside for no reason`]
    if (!isOversized(scenario, ref.fileId)) return [`${id} was set aside, and could have been stored`]
    const progress = runs.get(runKey(ref))?.progress
    const isTold =
      progress?.phase === 'finished' &&
      progress.errors.some(({ code }) => code === 'too_large' || code === 'fan_out_failed')
    return progress === undefined || progress.phase === 'gone' || isTold
      ? []
      : [`nobody was told that ${id} was set aside`]
  })
}

/** Without faults nothing is done twice. */
function checkEconomy({ scenario, oracle }: Platform): string[] {
  const isDeadly = [...scenario.recordings.values()].some(({ chunks, plan, assemble }) =>
    [...chunks, plan, assemble].includes('deadly'),
  )
  if (isDeadly || scenario.faults.length > 0 || scenario.weather !== calm) return []
  return [...oracle.tries]
    .filter(([, times]) => times > scenario.limits.retry.retriesMax + 1)
    .map(([what, times]) => `${what} was done ${times} times`)
}
