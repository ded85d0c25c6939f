import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, open, rm, stat } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { eventually } from '../support/eventually.ts'
import { aWav } from '../support/media.ts'
import { startService } from './service.ts'
import type { BenchService } from './service.ts'
import { machine, printTable } from './table.ts'

const run = promisify(execFile)
const totalBytes = 2 * 1024 ** 3
const rounds = 3
const sampleEveryMs = 50

/** 2 GiB as one file and as 200, against `cp` and fsync of the same bytes on the same disk, turn by turn. */
export async function benchUpload(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'vaak-bench-source-'))
  try {
    const one = await makeFiles(join(folder, 'one'), 1)
    const many = await makeFiles(join(folder, 'many'), 200)
    const rows = [await measure('2 GiB, 1 file', one, folder), await measure('2 GiB, 200 files', many, folder)]
    printTable(`Upload against cp + fsync, best of ${rounds} rounds (${machine()})`, rows)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(title: string, files: readonly string[], folder: string): Promise<Record<string, string>> {
  const service = await startService({ UPLOAD_MAX_FILE_BYTES: '3GiB' })
  try {
    await post(service, []) // opens the connection and compiles the path
    const idleMb = await service.memoryMb()
    await service.eventLoopP99Ms()
    const copies: number[] = []
    const uploads: number[] = []
    let peakMb = 0
    const sampling = setInterval(
      () => void service.memoryMb().then((mb) => (peakMb = Math.max(peakMb, mb))),
      sampleEveryMs,
    )
    for (let round = 0; round < rounds; round += 1) {
      copies.push(await timed(() => copy(files, join(folder, 'copy'))))
      uploads.push(await timed(() => post(service, files)))
      await settled(service)
    }
    clearInterval(sampling)
    const p99Ms = await service.eventLoopP99Ms()
    const [copied, uploaded] = [Math.min(...copies), Math.min(...uploads)]
    return {
      upload: title,
      'cp + fsync': `${speed(copied)} MB/s`,
      vaak: `${speed(uploaded)} MB/s`,
      ratio: (copied / uploaded).toFixed(2),
      'memory above idle': `${Math.round(peakMb - idleMb)} MB`,
      'event loop p99': `${p99Ms.toFixed(1)} ms`,
    }
  } finally {
    await service.stop()
  }
}

async function makeFiles(folder: string, count: number): Promise<string[]> {
  await mkdir(folder)
  const header = aWav({ seconds: 1 })
  const piece = Buffer.alloc(1024 * 1024, 'नमस्ते')
  const paths: string[] = []
  for (let index = 0; index < count; index += 1) {
    const path = join(folder, `${index}.wav`)
    const handle = await open(path, 'w')
    await handle.write(header)
    for (let left = totalBytes / count - header.length; left > 0; left -= piece.length)
      await handle.write(piece, 0, Math.min(piece.length, Math.floor(left)))
    await handle.sync()
    await handle.close()
    paths.push(path)
  }
  return paths
}

async function copy(files: readonly string[], target: string): Promise<void> {
  await rm(target, { recursive: true, force: true })
  await mkdir(target)
  await run('cp', [...files, target])
  await run(
    'sync',
    files.map((file) => join(target, file.split('/').at(-1)!)),
  )
  await rm(target, { recursive: true, force: true })
}

async function post(service: BenchService, files: readonly string[]): Promise<void> {
  const boundary = 'vaak-bench-boundary'
  const end = Buffer.from(`\r\n--${boundary}--\r\n`)
  const heads = files.map((file, index) =>
    Buffer.from(
      `${index === 0 ? '' : '\r\n'}--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${file.split('/').at(-1)}"\r\nContent-Type: audio/wav\r\n\r\n`,
    ),
  )
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  const length = [...heads.map((head) => head.length), ...sizes, end.length].reduce((sum, size) => sum + size, 0)
  await new Promise<void>((resolve, reject) => {
    const outgoing = request(`${service.url}/files/upload`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${service.token}`,
        'Content-Type': `multipart/form-data; boundary=${boundary}`,
        'Content-Length': length,
      },
    })
    outgoing.on('error', reject)
    outgoing.on('response', (response) => {
      response.resume()
      const expected = files.length === 0 ? 400 : 202
      if (response.statusCode === expected) resolve()
      else reject(new Error(`the upload was answered with ${response.statusCode}`))
    })
    void (async () => {
      for (const [index, file] of files.entries()) {
        outgoing.write(heads[index]!)
        for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 }))
          if (!outgoing.write(chunk)) await new Promise((drained) => outgoing.once('drain', drained))
      }
      outgoing.end(end)
    })().catch(reject)
  })
}

/** Everything of the last round is in storage and deleted again, so that the next round finds the same disk. */
async function settled(service: BenchService): Promise<void> {
  const headers = { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' }
  const ids = await eventually(
    'all files reach storage',
    async () => {
      const page = (await (await fetch(`${service.url}/files?limit=200`, { headers })).json()) as {
        files: { file_id: string; upload_status: string }[]
      }
      return page.files.every((file) => file.upload_status === 'completed') && page.files.map((file) => file.file_id)
    },
    120_000,
  )
  const body = JSON.stringify({ file_ids: ids })
  const response = await fetch(`${service.url}/files`, { method: 'DELETE', headers, body })
  if (!response.ok) throw new Error(`deleting was answered with ${response.status}`)
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return (performance.now() - startedMs) / 1000
}

function speed(seconds: number): number {
  return Math.round(totalBytes / seconds / 1e6)
}
