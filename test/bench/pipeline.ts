import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'

import { apiAt } from '../support/api.ts'
import { aScriptedRecording, scriptedSeconds } from '../support/scripted-speech.ts'
import { efficiency, shortClips } from './efficiency.ts'
import { startService } from './service.ts'
import { printTable } from './table.ts'
import { addWorker } from './worker.ts'

const warmFiles = 200
const countedFiles = 800
const waiting = [100, 100_000]
const filesInBatch = 10_000

/** What the pipeline costs on top of hearing, and whether it costs more when much is waiting. */
export async function pipeline(words: readonly string[]): Promise<void> {
  const names = ['efficiency', 'clips', 'growth']
  const { values } = parseArgs({
    args: [...words],
    options: {
      parts: { type: 'string', default: names.join(',') },
      speech: { type: 'string' },
      clips: { type: 'string' },
    },
  })
  const parts: Readonly<Record<string, () => Promise<void>>> = {
    efficiency,
    clips: () =>
      shortClips({ speech: values.speech, clips: values.clips === undefined ? undefined : Number(values.clips) }),
    growth,
  }
  const chosen = values.parts.split(',').map((name) => parts[name])
  if (!chosen.every((part) => part !== undefined))
    throw new Error(`Usage: npm run bench -- pipeline [--parts ${names.join(',')}] [--speech FOLDER] [--clips N]`)
  for (const part of chosen) await part()
}

/** What a file costs when little and when much is waiting. Nothing is heard: only the pipeline's own work counts. */
async function growth(): Promise<void> {
  const site = await serveRecording()
  const { port } = site.address() as AddressInfo // as: it listens on TCP
  const near = { REMOTE_ALLOW_PRIVATE: '127.0.0.0/8', REMOTE_PORTS: String(port), QUEUE_MAX_FILES: '1000000' }
  const rows = []
  for (const depth of waiting) {
    const service = await startService(near)
    const api = apiAt(service.url, service.token)
    // a URL that is given twice in one request is one file
    const urlOf = (at: number): string => `http://127.0.0.1:${port}/one.wav?${at}`
    const batchIds: string[] = []
    for (let left = depth + warmFiles + countedFiles; left > 0; left -= filesInBatch) {
      const sources = Array.from({ length: Math.min(left, filesInBatch) }, (_, at) => ({ url: urlOf(at) }))
      batchIds.push((await api.post('/transcribe/batch', { json: { sources } })).body.batch_id)
    }
    const worker = await addWorker(service, { ...near, RECOGNISER: 'scripted' })
    const done = async (): Promise<number> => {
      const all = await Promise.all(batchIds.map((batchId) => api.get(`/transcribe/status/batch/${batchId}`)))
      return all.reduce((sum, { body }) => sum + body.files_completed, 0)
    }
    while ((await done()) < warmFiles) await pause(100)
    const [startedMs, before] = [performance.now(), await done()]
    // asked seldom: a hundred thousand files are eleven batches to ask for
    while ((await done()) < before + countedFiles) await pause(1_000)
    const seconds = (performance.now() - startedMs) / 1000
    rows.push({ 'waiting behind them': depth, 'files a second': (((await done()) - before) / seconds).toFixed(1) })
    await worker.stop()
    await service.stop()
  }
  site.close()
  printTable('One chunk a file, nothing heard, one worker', rows)
}

async function serveRecording(): Promise<Server> {
  const recording = aScriptedRecording(scriptedSeconds(1))
  const site = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'audio/wav', 'Content-Length': recording.length }).end(recording)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  return site
}
