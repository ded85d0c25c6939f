import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { z } from 'zod'

import type { RejectedFile, UploadStatus } from '../../client/api.ts'
import { ApiError } from '../../client/client.ts'
import type { Client } from '../../client/client.ts'
import { printable } from '../../telemetry/printable.ts'
import type { Progress, ProgressBoard } from '../../telemetry/progress.ts'
import { UsageError } from '../command.ts'
import { formOf } from './form-stream.ts'
import { sendResumably } from './send-resumably.ts'

const pollMs = 200

/** From this size on a recording is sent so that it goes on after a connection broke. */
const resumableFromBytes = 16 * 1024 * 1024
const notThere = 404

interface SentFiles {
  /** One for all small files, and one for each that is large or was sent by itself. */
  readonly uploads: readonly UploadStatus[]
  readonly rejected: readonly RejectedFile[]
}

interface FilesToSend {
  readonly paths: readonly string[]
  readonly board: ProgressBoard
  /** Also what the server has already is stored again. */
  readonly isApart: boolean
}

interface SendParts extends Omit<FilesToSend, 'paths'> {
  readonly client: Client
}

/**
 * Uploads files and waits until they are in storage; resolves with what the server says of them. Those that it refuses are named
 * on standard error, and the exit code says that there were some.
 */
export async function sendFiles(client: Client, { paths, board, isApart }: FilesToSend): Promise<SentFiles> {
  for (const path of paths)
    await access(path, constants.R_OK).catch(() => {
      throw new UsageError(`${printable(path)}: there is no such file, or you may not read it.`)
    })
  const groups = await groupsOf(paths)
  const uploads: UploadStatus[] = []
  const rejected: RejectedFile[] = []
  let refusal: unknown
  // it grows where a connection breaks
  for (const group of groups)
    try {
      const sent = await (group.goesOn ? sendAlone : sendTogether)({ client, board, isApart }, group.paths)
      rejected.push(...sent.rejected)
      const stored = await untilStored(client, sent.uploadId)
      tellSame(stored, board)
      uploads.push(stored)
    } catch (error) {
      if (error instanceof BrokenForm) {
        board.aside(() => process.stderr.write(`${error.message}\n`))
        groups.push(...group.paths.map(alone))
        continue
      }
      const refused = error instanceof ApiError ? allRefused.safeParse(error.detail).data?.rejected_files : undefined
      if (!refused) throw error
      tell(refused, board)
      rejected.push(...refused)
      refusal = error
    }
  if (uploads.length === 0) throw refusal
  return { uploads, rejected }
}

interface Group {
  readonly paths: readonly string[]
  /** Where its connection broke. */
  readonly goesOn: boolean
}

/** Small recordings go together, in one request. */
async function groupsOf(paths: readonly string[]): Promise<Group[]> {
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path)).size))
  const isSmall = (_: string, at: number): boolean => (sizes[at] ?? 0) < resumableFromBytes
  const small = paths.filter(isSmall)
  const large = paths.filter((path, at) => !isSmall(path, at))
  return [...(small.length > 0 ? [{ paths: small, goesOn: false }] : []), ...large.map(alone)]
}

function alone(path: string): Group {
  return { paths: [path], goesOn: true }
}

/** Of several recordings in one request, whose connection ended in the middle. */
class BrokenForm extends Error {
  override readonly message =
    'The connection broke. What it carried is sent once more, one recording after another: each goes on where it breaks off.'
}

interface SentUpload {
  readonly uploadId: string
  readonly rejected: readonly RejectedFile[]
}

async function sendTogether(parts: SendParts, paths: readonly string[]): Promise<SentUpload> {
  let isUnderWay = false
  try {
    return await sendForm(parts, { paths, onSent: () => (isUnderWay = true) })
  } catch (error) {
    throw isUnderWay && !(error instanceof ApiError) ? new BrokenForm('', { cause: error }) : error
  }
}

interface Form {
  readonly paths: readonly string[]
  readonly onSent?: () => void
}

async function sendForm({ client, board, isApart }: SendParts, { paths, onSent }: Form): Promise<SentUpload> {
  const bars = new Map<string, Progress>()
  const form = formOf(paths, (path, fraction) => {
    onSent?.()
    const bar = bars.get(path) ?? board.start(`sending ${basename(path)}`)
    bars.set(path, bar)
    if (fraction < 1) return bar.update(fraction)
    bars.delete(path)
    bar.done()
  })
  const sending = client.call('uploadFiles', {
    ...(isApart && { query: { deduplicate: false } }),
    // as: the client sends a stream as it is, under the type that says what it is
    body: form.body as unknown as FormData,
    headers: { 'Content-Type': form.contentType },
  })
  const accepted = await sending.catch((error: unknown) => {
    for (const bar of bars.values()) bar.fail()
    throw error
  })
  tell(accepted.rejected_files, board)
  return { uploadId: accepted.batch_upload_id, rejected: accepted.rejected_files ?? [] }
}

async function sendAlone(parts: SendParts, paths: readonly string[]): Promise<SentUpload> {
  const [path = ''] = paths
  const name = printable(basename(path))
  const say = (sentence: string): void => parts.board.aside(() => process.stderr.write(`${name}: ${sentence}\n`))
  const bar = parts.board.start(`sending ${basename(path)}`)
  try {
    const uploadId = await sendResumably(parts.client, {
      path,
      isApart: parts.isApart,
      onSent: (fraction) => bar.update(fraction),
      onHeldUp: (reason) => say(`${reason} It goes on by itself where it broke off.`),
    })
    bar.done()
    return { uploadId, rejected: [] }
  } catch (error) {
    bar.fail()
    // a server of before has no such address
    if (error instanceof ApiError && error.status === notThere) return sendForm(parts, { paths })
    if (!(error instanceof ApiError)) say('What was sent is kept: give the command again, and it goes on there.')
    throw error
  }
}

const allRefused = z.object({
  rejected_files: z.array(z.object({ filename: z.string(), size_bytes: z.number(), reason: z.string() })),
})

function tell(refused: readonly RejectedFile[] = [], board: ProgressBoard): void {
  if (refused.length === 0) return
  const lines = refused.map(({ filename, reason }) => `${printable(filename)}: ${reason}\n`)
  board.aside(() => process.stderr.write(lines.join('')))
  process.exitCode = 1
}

function tellSame({ files }: UploadStatus, board: ProgressBoard): void {
  for (const { filename, same_as: first } of files) {
    if (first === undefined) continue
    const text = `${printable(filename)}: you had this recording already, as ${first}; it is stored once for both.\n`
    board.aside(() => process.stderr.write(text))
  }
}

async function untilStored(client: Client, batchUploadId: string): Promise<UploadStatus> {
  for (;;) {
    const status = await client.call('getUpload', { params: { batch_upload_id: batchUploadId } })
    if (status.status !== 'accepted') return status
    await pause(pollMs)
  }
}
