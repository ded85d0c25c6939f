import { parseArgs } from 'node:util'

import { jetstream, jetstreamManager } from '@nats-io/jetstream'

import { openFileListing } from '../../actors/listing/files.ts'
import type { FilePage } from '../../actors/listing/files.ts'
import type { Head } from '../../actors/listing/pages.ts'
import type { UploadedFile } from '../../actors/upload/state.ts'
import { principalOf } from '../../infra/identity/principal.ts'
import { newIds } from '../../infra/ids/new-ids.ts'
import { openRecords } from '../../infra/nats/records/records.ts'
import { buckets } from '../../infra/nats/topology/topology.ts'
import { progressOn } from '../../infra/telemetry/progress.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { someFacts } from '../support/builders.ts'
import { startService } from './service.ts'
import type { BenchService } from './service.ts'
import { machine, percentile, printTable } from './table.ts'

const pageFiles = 50
const batch = 1_000
const requests = 200
const warmUp = 20

/** Listing with many files of one user, every page costs the same: `npm run bench -- list [--files 100000]`. */
export async function benchList(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...words], options: { files: { type: 'string', default: '100000' } } })
  const files = Number(values.files)
  const service = await startService({ QUOTA_STORED_FILES: '0' })
  try {
    await populate(service, files)
    const last = files / pageFiles
    const rows = []
    for (const query of [
      'page=1',
      `page=${last / 2}`,
      `page=${last}`,
      'page=1&upload_status=completed',
      `page=${last / 2}&upload_status=completed`,
      'page=1&upload_status=failed',
    ])
      rows.push(await measure(service, query))
    printTable(
      `GET /files, limit ${pageFiles}, ${files} files of one user, ${requests} requests each (${machine()})`,
      rows,
    )
  } finally {
    await service.stop()
  }
}

/** As the gateway would have written them; one in a hundred failed. */
async function populate(service: BenchService, files: number): Promise<void> {
  const connection = await service.nats.connect('bench')
  const client = { connection, js: jetstream(connection), jsm: await jetstreamManager(connection) }
  const records = await openRecords<UploadedFile>(client, buckets.files)
  const listing = openFileListing({
    heads: await openRecords<Head>(client, buckets.listing),
    pages: await openRecords<FilePage>(client, buckets.listing),
  })
  const ids = newIds(systemClock)
  const { owner } = principalOf('vaak:development', 'bench')
  const progress = progressOn(process.stderr)(`writing ${files} files`)
  for (let from = 0; from < files; from += batch) {
    const made = Array.from({ length: batch }, (_, index): UploadedFile => {
      const facts = someFacts({ fileId: ids.nextFileId(), owner })
      return (from + index) % 100 === 0
        ? { ...facts, status: 'failed', reason: 'storage stayed away' }
        : { ...facts, status: 'completed', storageKey: 'uploads/key' }
    })
    await Promise.all(made.map((file) => records.create(file.fileId, file)))
    await listing.append(
      owner,
      made.map(({ fileId, status }) => ({ fileId, status: status === 'failed' ? 'failed' : 'completed' })),
    )
    progress.update((from + batch) / files)
  }
  progress.done()
}

async function measure(service: BenchService, query: string): Promise<Record<string, string | number>> {
  const timesMs: number[] = []
  let count = 0
  for (let index = 0; index < requests + warmUp; index += 1) {
    const startedMs = performance.now()
    const response = await fetch(`${service.url}/files?limit=${pageFiles}&${query}`, {
      headers: { Authorization: `Bearer ${service.token}` },
    })
    const page = (await response.json()) as { count: number }
    if (index >= warmUp) timesMs.push(performance.now() - startedMs)
    ;({ count } = page)
  }
  return {
    query,
    'files shown': count,
    p50: `${percentile(timesMs, 0.5).toFixed(1)} ms`,
    p95: `${percentile(timesMs, 0.95).toFixed(1)} ms`,
  }
}
