import { randomBytes } from 'node:crypto'

import test from 'ava'
import { createLocalJWKSet } from 'jose'

import type { Receipt } from '../../actors/receipt/state.ts'
import { canonicalJson } from '../../infra/receipt/canonical-json.ts'
import { openReceiptKey } from '../../infra/receipt/receipt-key.ts'
import { resultDigests } from '../../infra/receipt/result-digests.ts'
import type { ReceivedFile } from '../../infra/receipt/received-file.ts'
import { verifyReceipt } from '../../infra/receipt/verify.ts'
import { aResult } from '../support/file-stages.ts'

const audio = { sha256: 'a'.repeat(64), size_bytes: 5 }
const said = aResult('नमस्ते')
const content: Receipt = {
  version: 1,
  file_id: 'file',
  batch_id: 'batch',
  audio,
  options: { script: said.script },
  models: [],
  chunks: [],
  result: resultDigests(said),
}

async function signed(secret = randomBytes(32)) {
  const key = await openReceiptKey(secret)
  const receipt = { content, jws: await key.sign(content) }
  const file = JSON.parse(JSON.stringify({ file_id: 'file', result: said, receipt })) as ReceivedFile
  return { file, keys: createLocalJWKSet({ keys: [...key.keys] }) }
}

const told = (findings: Awaited<ReturnType<typeof verifyReceipt>>) =>
  findings.map(({ what, holds }) => `${what} ${holds}`)

test('what was signed and not changed is proven, in whatever order its fields come', async (t) => {
  const { file, keys } = await signed()
  const turned = JSON.parse(JSON.stringify(file), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).reverse())
      : value,
  ) as ReceivedFile
  for (const one of [file, turned])
    t.deepEqual(told(await verifyReceipt({ file: one, audio, keys })), [
      'signature true',
      'audio true',
      'transcript true',
    ])
})

test('speech information, which is told on request, is no part of what is vouched for', async (t) => {
  const { file, keys } = await signed()
  const segments = file.result.segments.map((segment) => ({ ...segment, speech_information: { tone: 'calm' } }))
  const [, transcript] = await verifyReceipt({ file: { ...file, result: { ...file.result, segments } }, keys })
  t.true(transcript?.holds)
})

test('gateways with one secret sign with one key, and the published half has nothing secret', async (t) => {
  const secret = randomBytes(32)
  const [one, other] = [await openReceiptKey(secret), await openReceiptKey(secret)]
  t.deepEqual(one.keys, other.keys)
  t.false(JSON.stringify(one.keys).includes('"d"'))
  for (const edge of [Buffer.alloc(32), Buffer.alloc(32, 0xff)]) t.is((await openReceiptKey(edge)).keys.length, 1)
})

test('a receipt that was changed, moved or signed by another is not believed', async (t) => {
  const { file, keys } = await signed()
  const { receipt } = file
  const changed = { ...receipt, content: { ...receipt.content, audio: { ...audio, size_bytes: 6 } } }
  const [head, , signature] = receipt.jws.split('.')
  const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'vaak-receipt+jws' })).toString('base64url')
  const hmac = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'vaak-receipt+jws' })).toString('base64url')
  const forged = [
    changed,
    { ...receipt, jws: `${none}..` },
    { ...receipt, jws: `${hmac}..${signature}` },
    { ...receipt, jws: `${head}.${Buffer.from(canonicalJson(content)).toString('base64url')}.${signature}` },
    { ...receipt, jws: `${head}..${signature}.x` },
    { ...receipt, jws: '' },
    (await signed()).file.receipt,
  ]
  for (const one of forged) {
    const [found] = await verifyReceipt({ file: { ...file, receipt: one }, keys })
    t.false(found?.holds, JSON.stringify(one.jws))
  }
  const moved = await verifyReceipt({ file: { ...file, file_id: 'other' }, keys })
  t.regex(moved.at(-1)!.sentence, /another file/)
})

test('another recording is named with both hashes', async (t) => {
  const { file, keys } = await signed()
  const [, found] = await verifyReceipt({ file, audio: { sha256: 'b'.repeat(64), size_bytes: 9 }, keys })
  t.like(found, { what: 'audio', holds: false })
  t.regex(found!.sentence, /9 bytes with sha256 b{64}, and 5 bytes with sha256 a{64}/)
})

test('a word that was changed is named by its segment, and an edit is called one', async (t) => {
  const { file, keys } = await signed()
  const segments = file.result.segments.map((segment) => ({ ...segment, text: 'other' }))
  const result = { ...file.result, text: 'other', segments }
  const [, plain] = await verifyReceipt({ file: { ...file, result }, keys })
  t.regex(plain!.sentence, /Fields that differ: text\. Segments that were not transcribed so: 1 \(0:0/)
  const edits = { version: 3, edited_at: '2026-01-01T00:00:00.000Z' }
  const [, edited] = await verifyReceipt({ file: { ...file, result, edits }, keys })
  t.regex(edited!.sentence, /^The text was edited since it was transcribed \(version 3/)
  const [, latin] = await verifyReceipt({ file: { ...file, result: { ...result, script: 'latin' } }, keys })
  t.regex(latin!.sentence, /written in the script latin, and the receipt is of/)
  const [, cut] = await verifyReceipt({ file: { ...file, result: { ...file.result, segments: [] } }, keys })
  t.regex(cut!.sentence, /Segments of the original that are not there: 1\./)
})

test('values are written as RFC 8785 says', (t) => {
  const value = { b: [1, 1e21, 0.1, -0, null], a: { é: '\u000f"ü', A: true }, c: undefined }
  t.is(canonicalJson(value), '{"a":{"A":true,"é":"\\u000f\\"ü"},"b":[1,1e+21,0.1,0,null]}')
})
