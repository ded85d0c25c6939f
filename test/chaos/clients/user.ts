import { setTimeout as pause } from 'node:timers/promises'

import { uploadForm } from '../../support/api.ts'
import type { Random } from '../../sim/random.ts'
import type { History } from '../history.ts'
import type { CallAnswer, ChaosCaller } from './caller.ts'
import { ended } from './ledger.ts'
import type { Ledger } from './ledger.ts'
import type { ChaosRecording, RecordingOptions } from './recordings.ts'
import type { FaultKind } from '../nemesis/plan.ts'
import { verify } from './verify.ts'

/** Somebody who uploads recordings, has them transcribed, watches, reads and now and then deletes. */
export interface UserOptions extends RecordingOptions {
  readonly caller: ChaosCaller
  readonly ledger: Ledger
  readonly history: History
  readonly isOver: () => boolean
  readonly makeRecording: (options: RecordingOptions) => ChaosRecording
  /** What this user sent already, and how much of what they send is that. */
  readonly sentBefore: ChaosRecording[]
  readonly againShare: number
}

const diskLoss: FaultKind = 'gateway-gone'
const lostWithServer = /^The server that received this file has been gone/
const filesMax = 3
const twiceChance = 0.3
const deleteChance = 0.12
const deleteTwinChance = 0.5

/** One round, from the upload to the last look. */
export async function oneRound(options: UserOptions, key: string): Promise<void> {
  const { random } = options
  const recordings = Array.from({ length: random.between(1, filesMax) }, () => recordingOf(options))
  const fileIds = await upload(options, `${key}-upload`, recordings)
  if (!fileIds) return
  const batchId = await submit(options, `${key}-batch`, fileIds)
  if (batchId === undefined) return
  const doomed = fileIds.find(() => random.chance(deleteChance))
  const looksBefore = random.below(8)
  const twin = random.chance(deleteTwinChance) ? twinOf(options, fileIds) : undefined
  await Promise.all([
    watch(options, batchId),
    doomed && removeAfter(options, { fileId: doomed, batchId, looks: looksBefore }),
    twin && removeAfter(options, { ...twin, looks: looksBefore }),
  ])
  await readThrough(options, batchId)
}

function recordingOf(options: UserOptions): ChaosRecording {
  const { random, sentBefore, againShare } = options
  if (sentBefore.length > 0 && random.chance(againShare)) return random.pick(sentBefore)
  const recording = options.makeRecording(options)
  sentBefore.push(recording)
  return recording
}

/** Another file with the same bytes as one of these, and the batch that it was submitted with. */
function twinOf(
  { ledger, caller }: UserOptions,
  fileIds: readonly string[],
): { fileId: string; batchId: string } | undefined {
  const sent = new Set(fileIds.map((fileId) => ledger.files.get(fileId)?.recording))
  const own = [...ledger.batches.values()].filter(({ user }) => user === caller.user)
  for (const { batchId, fileIds: earlier } of own)
    for (const fileId of earlier) {
      const file = ledger.files.get(fileId)
      if (file?.life === 'there' && sent.has(file.recording) && !fileIds.includes(fileId)) return { fileId, batchId }
    }
  return undefined
}

async function upload(
  { caller, random, ledger, history, isOver }: UserOptions,
  key: string,
  recordings: readonly ChaosRecording[],
): Promise<string[] | undefined> {
  const form = (): FormData =>
    uploadForm(...recordings.map(({ content }, index) => ({ name: `${key}-${index}.wav`, content, type: 'audio/wav' })))
  ledger.sent(key)
  const answers = await perhapsTwice(random, () =>
    caller.insist({ verb: 'upload', method: 'POST', path: '/files/upload', key, form }),
  )
  let fileIds: string[] | undefined
  for (const { status, body } of answers) {
    if (status !== 202) {
      history.complain('answers', `an upload was answered with ${status}: ${JSON.stringify(body)}`)
      continue
    }
    const ids: string[] = body.files.map((file: { file_id: string }) => file.file_id)
    const files = new Map(ids.map((id, index) => [id, recordings[index]!]))
    ledger.uploaded({ user: caller.user, key, uploadId: body.batch_upload_id, files })
    fileIds = ids
    if (!(await untilStored({ caller, random, history, isOver }, body.batch_upload_id))) return undefined
  }
  return fileIds
}

/** False when not all of it came to storage. */
async function untilStored(
  { caller, random, history, isOver }: Pick<UserOptions, 'caller' | 'random' | 'history' | 'isOver'>,
  uploadId: string,
): Promise<boolean> {
  while (!isOver()) {
    const answer = await caller.ask({ verb: 'status', method: 'GET', path: `/files/upload/${uploadId}` })
    if (answer?.status === 200 && answer.body.status === 'completed') return true
    if (answer?.status === 200 && answer.body.failed > 0 && answer.body.pending + answer.body.uploading === 0) {
      checkLoss(history, uploadId, answer.body)
      return false
    }
    await pause(random.between(100, 400))
  }
  history.complain('accepted', `upload ${uploadId} was accepted and has not ended`)
  return false
}

/** A file is lost with the only disk that had it, and says so; nothing else is a reason. */
function checkLoss(history: History, uploadId: string, { files }: CallAnswer['body']): void {
  const isLoss = history.faults.some(({ kind }) => kind === diskLoss)
  for (const { upload_status: status, error } of files)
    if (status === 'failed' && !(isLoss && lostWithServer.test(error ?? '')))
      history.complain('accepted', `a file of upload ${uploadId} failed: ${JSON.stringify(error)}`)
}

async function submit(options: UserOptions, key: string, fileIds: readonly string[]): Promise<string | undefined> {
  const { caller, random, ledger, history } = options
  ledger.sent(key)
  const answers = await perhapsTwice(random, () =>
    caller.insist({ verb: 'submit', method: 'POST', path: '/transcribe/batch', key, json: { file_ids: fileIds } }),
  )
  let batchId: string | undefined
  for (const { status, body } of answers)
    if (status === 200) {
      ledger.submitted({ user: caller.user, key, batchId: body.batch_id, fileIds })
      batchId = body.batch_id
    } else history.complain('answers', `a batch was answered with ${status}: ${JSON.stringify(body)}`)
  return batchId
}

/** The same request from two places at once, as impatient clients and proxies send it. */
async function perhapsTwice(random: Random, send: () => Promise<CallAnswer | undefined>): Promise<CallAnswer[]> {
  const answers = await Promise.all(random.chance(twiceChance) ? [send(), send()] : [send()])
  return answers.filter((answer) => answer !== undefined)
}

/** Until it has ended. */
async function watch({ caller, random, ledger, isOver }: UserOptions, batchId: string): Promise<void> {
  while (!isOver()) {
    if (random.chance(0.3)) await look({ caller, ledger }, batchId)
    const answer = await caller.ask({ verb: 'status', method: 'GET', path: `/transcribe/status/batch/${batchId}` })
    if (answer?.status === 200) {
      ledger.sawBatch(batchId, answer.body.status)
      if (ended.has(answer.body.status)) return
    }
    await pause(random.between(200, 800))
  }
}

async function look(
  { caller, ledger }: Pick<UserOptions, 'caller' | 'ledger'>,
  batchId: string,
): Promise<CallAnswer | undefined> {
  const path = `/transcribe/results/batch/${batchId}?limit=200&chunks=true`
  const answer = await caller.ask({ verb: 'results', method: 'GET', path })
  if (answer?.status === 200) for (const file of answer.body.files) ledger.sawFile(batchId, file)
  return answer
}

async function removeAfter(
  options: UserOptions,
  { fileId, batchId, looks }: { fileId: string; batchId: string; looks: number },
): Promise<void> {
  const { caller, random, ledger, isOver } = options
  for (let times = 0; times < looks && !isOver(); times += 1) await pause(random.between(100, 500))
  ledger.deleting(fileId)
  const answer = await caller.insist({ verb: 'delete', method: 'DELETE', path: '/files', json: { file_ids: [fileId] } })
  if (!answer) return
  // 404 when an earlier request, which was not answered, has begun it: then it is gone in the end, if not now
  if (answer.status === 200 || answer.status === 404) ledger.deleted(fileId)
  else options.history.complain('answers', `a deletion was answered with ${answer.status}`)
  if (answer.status === 200) await mustBeGone(options, { fileId, batchId })
}

/** Over either gateway, at once. */
export async function mustBeGone(
  { caller, history }: Pick<UserOptions, 'caller' | 'history'>,
  { fileId, batchId }: { fileId: string; batchId: string },
): Promise<void> {
  const one = await caller.ask({ verb: 'results', method: 'GET', path: `/transcribe/results/file/${fileId}` })
  if (one?.status === 200) history.complain('deleted', `file ${fileId} is shown after it was deleted`)
  const all = await caller.ask({
    verb: 'results',
    method: 'GET',
    path: `/transcribe/results/batch/${batchId}?limit=200`,
  })
  const isThere = all?.status === 200 && all.body.files.some((file: { file_id: string }) => file.file_id === fileId)
  if (isThere) history.complain('deleted', `file ${fileId} is among its batch’s results after it was deleted`)
}

/** The whole batch, as it ended. */
export async function readThrough(
  { caller, random, ledger, history, isOver }: UserOptions,
  batchId: string,
): Promise<void> {
  const batch = ledger.batches.get(batchId)
  if (batch?.ended === undefined) return
  while (!isOver()) {
    const answer = await look({ caller, ledger }, batchId)
    if (answer?.status === 200) {
      for (const shown of answer.body.files) {
        const file = ledger.files.get(shown.file_id)
        if (!file) history.complain('once', `batch ${batchId} shows a file ${shown.file_id} that nobody uploaded`)
        else if (file.life === 'there') verify(history, file, shown)
      }
      return
    }
    await pause(random.between(200, 500))
  }
}
