import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import type { UploadAccepted, UploadStatus } from '../../client/api.ts'
import type { Client } from '../../client/client.ts'
import { printable } from '../../telemetry/printable.ts'
import type { Progress, ProgressBoard } from '../../telemetry/progress.ts'
import { UsageError } from '../command.ts'
import { formOf } from './form-stream.ts'

const pollMs = 200

/** Uploads files and waits until they are in storage; resolves with what the server says of them. */
export async function sendFiles(
  client: Client,
  paths: readonly string[],
  board: ProgressBoard,
): Promise<{ accepted: UploadAccepted; stored: UploadStatus }> {
  for (const path of paths)
    await access(path, constants.R_OK).catch(() => {
      throw new UsageError(`${printable(path)}: there is no such file, or you may not read it.`)
    })
  const bars = new Map<string, Progress>()
  const form = formOf(paths, (path, fraction) => {
    const bar = bars.get(path) ?? board.start(basename(path))
    bars.set(path, bar)
    if (fraction < 1) return bar.update(fraction)
    bar.done()
  })
  const accepted = await client.call('uploadFiles', {
    // as: the client sends a stream as it is, under the type that says what it is
    body: form.body as unknown as FormData,
    headers: { 'Content-Type': form.contentType },
  })
  return { accepted, stored: await untilStored(client, accepted.batch_upload_id) }
}

async function untilStored(client: Client, batchUploadId: string): Promise<UploadStatus> {
  for (;;) {
    const status = await client.call('getUpload', { params: { batch_upload_id: batchUploadId } })
    if (status.status !== 'accepted') return status
    await pause(pollMs)
  }
}
