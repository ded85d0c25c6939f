import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { openReceiptKey } from '../../infra/receipt/receipt-key.ts'
import { batchService } from '../support/batch-service.ts'
import { aFolder } from '../support/folder.ts'
import { runVaak } from '../support/processes.ts'

/** What comes to who is given a transcript to prove by somebody who means no good, and to who asks too early. */

const service = batchService(test)
const mebibyte = 1024 * 1024

/** As the service tells a file, but for what is given. */
function aFile(more: { readonly content?: object; readonly fields?: object; readonly segments?: readonly object[] }) {
  const told = { fields: more.fields ?? {}, segments: [] }
  const audio = { sha256: 'a', size_bytes: 1 }
  const content = { version: 1, file_id: 'file', audio, options: {}, result: told, ...more.content }
  return { file_id: 'file', result: { segments: more.segments ?? [] }, receipt: { content, jws: 'a..b' } }
}

/** With keys that nobody is asked for. */
async function verified(t: ExecutionContext, text: string) {
  const folder = await aFolder(t)
  const [path, keys] = [join(folder, 'given.json'), join(folder, 'keys.json')]
  await writeFile(path, text)
  await writeFile(keys, JSON.stringify({ keys: (await openReceiptKey(Buffer.alloc(32, 1))).keys }))
  return { path, keys, ...(await runVaak(t, ['verify', path, '--keys', keys])) }
}

const depth = 200_000
const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`

for (const [where, file] of [
  ['its receipt', aFile({ content: { x: 'deep' } })],
  ['a segment', aFile({ segments: [{ start: 0, end: 1, x: 'deep' }] })],
] as const)
  test(`a transcript with lists in lists in ${where} is refused with the limit`, async (t) => {
    const { code, stdout, stderr } = await verified(t, JSON.stringify(file).replace('"deep"', deep))
    t.deepEqual([code, stdout], [2, ''])
    t.regex(stderr, /given\.json is nested deeper than 64 levels/)
  })

test('of very many differences some are named, and nothing in them reaches the terminal as it is', async (t) => {
  const names = Array.from({ length: 100_000 }, (_, at) => [`\u001b[2J${at}`, 'x'])
  const segments = Array.from({ length: 100_000 }, (_, at) => ({ start: at, end: at + 1 }))
  const { code, stdout } = await verified(t, JSON.stringify(aFile({ fields: Object.fromEntries(names), segments })))
  t.is(code, 1)
  t.regex(stdout, /Fields that differ: .* and 9\d{4} more\. .*Segments .* and 99990 more/)
  t.true(stdout.length < 2_000, `${stdout.length} characters`)
  t.false(stdout.includes('\u001b'))
})

test('a transcript or a key set that is too large is not read', async (t) => {
  const { path, keys } = await verified(t, '{}')
  const ask = () => runVaak(t, ['verify', path, '--keys', keys])
  await writeFile(path, JSON.stringify(aFile({})))
  await truncate(keys, mebibyte + 1)
  t.like(await ask(), { code: 2, stdout: '' })
  t.regex((await ask()).stderr, /keys\.json has 1048577 bytes, and at most 1048576 are read/)
  await truncate(path, 256 * mebibyte + 1)
  t.regex((await ask()).stderr, /given\.json has 268435457 bytes, and at most 268435456 are read/)
})

test('what has no transcript yet, or none at all, has no receipt', async (t) => {
  const { api, owner } = await service.user(t)
  const { batch, refs } = await (await service.records()).layOut(owner, [{ stage: 'running' }, { stage: 'failed' }])
  for (const { fileId } of refs) {
    const { status, body } = await api.get(`/transcribe/results/file/${fileId}?receipt=true`)
    t.deepEqual([status, body.receipt], [200, undefined])
  }
  const { body } = await api.get(`/transcribe/results/batch/${batch.batchId}?receipt=true`)
  t.true(body.files.every((file: object) => !('receipt' in file)))
  const { status } = await api.get(`/transcribe/results/file/${refs[0]!.fileId}?receipt=perhaps`)
  t.is(status, 400)
})
