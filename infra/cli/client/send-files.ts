import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { z } from 'zod'

import type { UploadAccepted, UploadStatus } from '../../client/api.ts'
import { ApiError } from '../../client/client.ts'
import type { Client } from '../../client/client.ts'
import { printable } from '../../telemetry/printable.ts'
import type { Progress, ProgressBoard } from '../../telemetry/progress.ts'
import { UsageError } from '../command.ts'
import { formOf } from './form-stream.ts'

const pollMs = 200

/**
 * Uploads files and waits until they are in storage; resolves with what the server says of them. Those that it refuses are named
 * on standard error, and the exit code says that there were some.
 */
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
    const bar = bars.get(path) ?? board.start(`sending ${basename(path)}`)
    bars.set(path, bar)
    if (fraction < 1) return bar.update(fraction)
    bar.done()
  })
  const accepted = await client
    .call('uploadFiles', {
      // as: the client sends a stream as it is, under the type that says what it is
      body: form.body as unknown as FormData,
      headers: { 'Content-Type': form.contentType },
    })
    .catch((error: unknown) => {
      if (error instanceof ApiError) tell(allRefused.safeParse(error.detail).data?.rejected_files, board)
      throw error
    })
  tell(accepted.rejected_files, board)
  return { accepted, stored: await untilStored(client, accepted.batch_upload_id) }
}

const allRefused = z.object({ rejected_files: z.array(z.object({ filename: z.string(), reason: z.string() })) })
type Refused = readonly z.output<typeof allRefused>['rejected_files'][number][]

function tell(refused: Refused = [], board: ProgressBoard): void {
  if (refused.length === 0) return
  const lines = refused.map(({ filename, reason }) => `${printable(filename)}: ${reason}\n`)
  board.aside(() => process.stderr.write(lines.join('')))
  process.exitCode = 1
}

async function untilStored(client: Client, batchUploadId: string): Promise<UploadStatus> {
  for (;;) {
    const status = await client.call('getUpload', { params: { batch_upload_id: batchUploadId } })
    if (status.status !== 'accepted') return status
    await pause(pollMs)
  }
}
