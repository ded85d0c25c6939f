import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { inCheckout } from '../support/checkout.ts'
import { readPage } from '../support/documents.ts'
import { aNatsServer } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'
import type { Pipeline } from '../support/pipeline.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../support/scripted-speech.ts'

/** The programs of the README, as they stand. Each has a broker of its own: workers take whatever is on theirs. */

const recording = aScriptedRecording(scriptedSeconds(3))

test.serial('the README’s example for OpenAI’s SDK prints what was said', async (t) => {
  const pipeline = await aPipeline(t, await aNatsServer(t))
  await pipeline.addWorker()
  t.is(await outputOf(t, "from 'openai'", pipeline), `${textsOf(recording).join(' ')}\n`)
})

test.serial('the README’s example for the typed client submits a batch and tells how far it is', async (t) => {
  // nobody works there, so that nothing is fetched
  const said = await outputOf(t, "from 'vaak/client'", await aPipeline(t, await aNatsServer(t)))
  t.regex(said, /^[0-9a-f-]{36} queued \d+/)
})

/** Inside the checkout, where its packages are found; `call.m4a` lies beside it. */
async function outputOf(t: ExecutionContext, having: string, { api, gateway }: Pipeline): Promise<string> {
  const { text } = await readPage('README.md')
  const programs = Array.from(text.matchAll(/```js\n([\s\S]*?)```\n/g), ([, program = '']) => program)
  const folder = await mkdtemp(inCheckout('.build', 'example-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'example.mjs')
  await writeFile(path, programs.find((program) => program.includes(having)) ?? '')
  await writeFile(join(folder, 'call.m4a'), recording)
  const { stdout } = await promisify(execFile)(process.execPath, [path], {
    cwd: folder,
    env: { PATH: process.env['PATH'], VAAK_URL: api.url, VAAK_TOKEN: await gateway.tokenOf('asha') },
  })
  return stdout
}
