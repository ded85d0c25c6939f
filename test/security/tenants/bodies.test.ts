import test from 'ava'
import type { ExecutionContext } from 'ava'

import { aFileId } from '../../support/builders.ts'
import { head, rawConnection } from '../../support/raw-http.ts'
import type { RawConnection } from '../../support/raw-http.ts'
import { sharedService } from '../../support/service.ts'
import type { TestUser } from '../../support/service.ts'

const service = sharedService(test)
const mebibyte = 1024 * 1024

/** A submission of which so much was sent, and never the end. */
async function unfinished(t: ExecutionContext, { token }: TestUser, sentBytes: number): Promise<RawConnection> {
  const connection = await rawConnection(t, service.url)
  await connection.send(
    head(
      'POST /transcribe/batch HTTP/1.1',
      'Host: vaak',
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ),
    `${sentBytes.toString(16)}\r\n`,
    Buffer.alloc(sentBytes, ' '),
    '\r\n',
  )
  return connection
}

test('one user’s unfinished bodies fill that user’s share of the memory, and no other’s', async (t) => {
  const [hostile, good] = [await service.user(t), await service.user(t)]
  const held = await Promise.all([1, 2, 3, 4].map(() => unfinished(t, hostile, 15 * mebibyte)))
  const { status, headers, body } = await Promise.race(held.map((one) => one.answer()))
  t.is(status, 429)
  t.regex(headers.get('retry-after') ?? '', /^\d+$/)
  t.regex(JSON.parse(body).detail, /33554432 bytes of yours/)
  const answer = await good.api.post('/transcribe/batch', { json: { file_ids: [aFileId()] } })
  t.is(answer.status, 404)
})

test('a hundred thousand names that all differ are refused for their number', async (t) => {
  const { api } = await service.user(t)
  const names = Array.from({ length: 100_000 }, (_, at) => `"name-${at}":1`)
  for (const body of [`{${names.slice(0, 1_001).join()}}`, `{"sources":[{${names.slice(0, 1_001).join()}}]}`]) {
    const answer = await api.post('/transcribe/batch', { body, headers: { 'Content-Type': 'application/json' } })
    t.is(answer.status, 400)
    t.is(answer.body.detail, 'body: has an object with more than 1000 fields')
  }
  const body = `{${names.join()}}`
  const answer = await api.post('/transcribe/batch', { body, headers: { 'Content-Type': 'application/json' } })
  t.is(answer.status, 400)
})

test('names in texts are text', async (t) => {
  const { api } = await service.user(t)
  const text = `{"batch_upload_id":"${'\\"a\\":'.repeat(5_000)}\\\\"}`
  const answer = await api.post('/transcribe/batch', {
    body: text,
    headers: { 'Content-Type': 'application/json' },
  })
  t.is(answer.body.detail, 'upload not found')
})
