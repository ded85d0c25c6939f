import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { inCheckout } from '../../support/checkout.ts'
import { aRealtimeServer } from '../../support/realtime-server.ts'

/** Of the pages for people, run as they stand but for the port. Resolves with what it prints. */
async function ran(t: ExecutionContext, example: string): Promise<string> {
  const { server } = await aRealtimeServer(t)
  // inside the checkout, where `ws` is found as it would be after `npm i ws`
  const folder = await mkdtemp(inCheckout('.build', 'example-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'example.mjs')
  await writeFile(path, example.replace('127.0.0.1:8080', `127.0.0.1:${server.port}`))
  const { stdout } = await promisify(execFile)(process.execPath, [path], {
    env: { PATH: process.env['PATH'], VAAK_TOKEN: 'good' },
  })
  return stdout
}

async function exampleOn(page: string): Promise<string> {
  const text = await readFile(inCheckout('infra', 'docs', page), 'utf8')
  return /```js\n(import WebSocket from 'ws'\n[\s\S]*?)```\n/.exec(text)?.[1] ?? ''
}

test('the ten lines of the realtime page have a conversation, as they stand', async (t) => {
  const example = await exampleOn('realtime.md')
  t.is(example.trimEnd().split('\n').length, 10)
  const stdout = await ran(t, example)
  t.true(stdout.startsWith('session.created \n'))
  t.true(stdout.includes('response.output_audio.delta'))
  t.true(stdout.includes('response.output_audio_transcript.done I hear you.\n'))
})

test('what the page of voices writes piece by piece is spoken, with its words, and ends', async (t) => {
  const stdout = await ran(t, await exampleOn('voices.md'))
  t.regex(stdout, /^\d+ bytes \[/)
  for (const word of ['नमस्ते!', 'Kal', 'meeting', 'है।']) t.true(stdout.includes(`'${word}'`), word)
})
