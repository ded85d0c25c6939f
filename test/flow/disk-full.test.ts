import { request } from 'node:http'

import test from 'ava'

import { uploadForm } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { aGateway } from '../support/gateway.ts'
import { aWav } from '../support/media.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { aSmallDisk, testWithSmallDisk } from '../support/small-disk.ts'
import { recordingsIn, uploadsIn } from '../support/on-disk.ts'

const testOnSmallDisk = await testWithSmallDisk()

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

const roomBytes = 4 * 1024 * 1024
const tooLong = aWav({ seconds: 200 })
const short = aWav({ seconds: 0.5 })

testOnSmallDisk('an upload that fills the disk is a 503 that says so, and leaves nothing behind', async (t) => {
  const dataDir = await aSmallDisk(t, roomBytes)
  t.true(tooLong.length > roomBytes)
  const gateway = await aGateway(t, nats, { dataDir })
  const api = await gateway.apiOf(t.title)
  // a stream has no Content-Length, so that only the disk can say that there is too much of it
  const { headers, body } = new Response(
    uploadForm({ name: 'one.wav', content: short }, { name: 'two.wav', content: tooLong }),
  )
  const answer = await fetch(`${gateway.url}/files/upload`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${await gateway.tokenOf(t.title)}`,
      'Content-Type': headers.get('content-type') ?? '',
    },
    body,
    duplex: 'half',
  })
  t.is(answer.status, 503)
  t.is(answer.headers.get('retry-after'), '5')
  t.deepEqual(await answer.json(), {
    detail: 'There is no room left for uploads on this server. Nothing was kept; try again later.',
  })
  t.deepEqual(await uploadsIn(dataDir), [])

  const next = await api.post('/files/upload', { body: uploadForm({ name: 'one.wav', content: short }) })
  t.is(next.status, 202)
  await eventually('the small one completes', async () => {
    const watched = await api.get(`/files/upload/${next.body.batch_upload_id}`)
    return watched.body.status === 'completed'
  })
  t.is((await api.get('/files')).body.total_files, 1)
  t.is((await recordingsIn(dataDir)).length, 1)
})

testOnSmallDisk('an upload that says it is larger than the room is refused before its body is read', async (t) => {
  const dataDir = await aSmallDisk(t, roomBytes)
  const gateway = await aGateway(t, nats, { dataDir })
  const refused = await announce(gateway.url, { token: await gateway.tokenOf('asha'), sizeBytes: tooLong.length })
  t.deepEqual(refused, { status: 503, wasToldToContinue: false, retryAfter: '5' })
  t.deepEqual(await uploadsIn(dataDir), [])
})

test('the room that SPOOL_RESERVE_BYTES keeps free is not given to an upload', async (t) => {
  const gateway = await aGateway(t, nats, { environment: { SPOOL_RESERVE_BYTES: '1024TiB' } })
  const refused = await announce(gateway.url, { token: await gateway.tokenOf('asha'), sizeBytes: 1_000 })
  t.deepEqual(refused, { status: 503, wasToldToContinue: false, retryAfter: '5' })
  t.deepEqual(await uploadsIn(gateway.dataDir), [])
  const { status, body } = await gateway.api.post('/files/upload', {
    body: uploadForm({ name: 'one.wav', content: short }),
  })
  t.is(status, 503)
  t.regex(
    body.detail,
    /^This server has no room for an upload of \d+ bytes at the moment\. Nothing was kept; try again later\.$/,
  )
})

/** Announces a body as `curl` does with a large one, and sends it only when told to. */
function announce(
  url: string,
  input: { token: string; sizeBytes: number },
): Promise<{ status: number | undefined; wasToldToContinue: boolean; retryAfter: string | undefined }> {
  return new Promise((resolve, reject) => {
    let wasToldToContinue = false
    const announced = request(`${url}/files/upload`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${input.token}`,
        'Content-Type': 'multipart/form-data; boundary=x',
        'Content-Length': input.sizeBytes,
        Expect: '100-continue',
      },
    })
    announced.once('continue', () => (wasToldToContinue = true))
    announced.once('error', reject)
    announced.once('response', (response) => {
      resolve({ status: response.statusCode, wasToldToContinue, retryAfter: response.headers['retry-after'] })
      announced.destroy()
    })
    announced.flushHeaders()
  })
}
