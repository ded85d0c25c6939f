import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import test from 'ava'

import { inCheckout } from '../../support/checkout.ts'
import { aRealtimeServer } from '../../support/realtime-server.ts'

test('the ten lines of the realtime page have a conversation, as they stand', async (t) => {
  const page = await readFile(inCheckout('infra', 'docs', 'realtime.md'), 'utf8')
  const [, example = ''] = /```js\n(import WebSocket from 'ws'\n[\s\S]*?)```\n/.exec(page) ?? []
  t.is(example.trimEnd().split('\n').length, 10)
  const { server } = await aRealtimeServer(t)
  // inside the checkout, where `ws` is found as it would be after `npm i ws`
  const folder = await mkdtemp(inCheckout('.build', 'example-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'example.mjs')
  await writeFile(path, example.replace('127.0.0.1:8080', `127.0.0.1:${server.port}`))
  const { stdout } = await promisify(execFile)(process.execPath, [path], {
    env: { PATH: process.env['PATH'], VAAK_TOKEN: 'good' },
  })
  t.true(stdout.startsWith('session.created \n'))
  t.true(stdout.includes('response.output_audio.delta'))
  t.true(stdout.includes('response.output_audio_transcript.done I hear you.\n'))
})
