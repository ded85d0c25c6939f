import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { buffer } from 'node:stream/consumers'

import { ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3'
import test from 'ava'
import type { ExecutionContext } from 'ava'

import { isRetryable } from '../../actors/failure.ts'
import type { Blobs } from '../../actors/ports.ts'
import { openS3Blobs } from '../../infra/blobs/s3.ts'
import type { CephGateway } from '../../infra/dev/ceph/start.ts'
import { aBlobFile, blobBytes, readBytes, readText } from '../contract/blobs.ts'
import { anAnswerLoser } from '../support/answer-loser.ts'
import { cephOrSkip } from '../support/ceph.ts'
import { aLog } from '../support/log.ts'

const mebibyte = 1024 * 1024

const ceph = await cephOrSkip('storage that goes away and comes back, on a real S3 server')
if (ceph) faultsOf(ceph)
else test.skip('S3 storage that goes away and comes back', (t) => t.fail())

test('a server that takes connections and never answers fails the check in time', async (t) => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const sockets = new Set<{ destroy(): unknown }>()
  silent.on('connection', (socket) => sockets.add(socket))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    silent.close()
  })
  const address = silent.address()
  if (address === null || typeof address === 'string') return t.fail('no port')
  const blobs = s3(t, { endpoint: `http://127.0.0.1:${address.port}`, accessKeyId: 'id', secretAccessKey: 'key' })
  await t.throwsAsync(blobs.check(), { message: /^storage_unavailable: The object store did not answer in time/ })
})

function faultsOf(server: CephGateway): void {
  const port = Number(new URL(server.endpoint).port)
  test.after.always('stop Ceph', () => server.stop())

  test.serial('storage that is killed and comes back is a reason to try again, and then works', async (t) => {
    const blobs = s3(t, server)
    await blobs.put('before', { bytes: randomBytes(24 * mebibyte) })
    const reader = await blobs.open('before')
    const putting = t.throwsAsync(blobs.put('during', await aBlobFile(t, randomBytes(64 * mebibyte))))
    await once(reader, 'readable')
    await server.killGateway()

    t.true(isRetryable(await t.throwsAsync(buffer(reader))), 'a read that breaks half-way')
    t.true(isRetryable(await putting), 'an upload in parts')
    t.true(isRetryable(await t.throwsAsync(blobs.put('small', blobBytes('x')))), 'a small put')
    t.true(
      isRetryable(await t.throwsAsync(blobs.put('small', blobBytes('x'), { ifAbsent: true }))),
      'a create-only put',
    )
    t.true(isRetryable(await t.throwsAsync(blobs.check())), 'a check')

    await server.startGateway()
    await t.notThrowsAsync(blobs.check())
    t.is(await blobs.stat('during'), undefined)
    t.is(await blobs.put('small', blobBytes('again')), 'stored')
    t.is(await readText(blobs, 'small'), 'again')
    t.is((await readBytes(blobs, 'before')).length, 24 * mebibyte)
  })

  for (const sizeBytes of [1000, 9 * mebibyte])
    test.serial(`the writer of ${sizeBytes} bytes whose answer is lost is still told that it was first`, async (t) => {
      const loser = await anAnswerLoser(t, { port, request: /^PUT/ })
      const blobs = s3(t, { ...server, endpoint: loser.endpoint })
      t.is(await blobs.put('first', await aBlobFile(t, randomBytes(sizeBytes)), { ifAbsent: true }), 'stored')
      t.is(loser.lost(), 1)
      t.is(await blobs.put('first', blobBytes('second'), { ifAbsent: true }), 'exists')
    })

  test.serial('an upload in parts whose last answer is lost is stored', async (t) => {
    const loser = await anAnswerLoser(t, { port, request: /^POST \S+uploadId=/ })
    const blobs = s3(t, { ...server, endpoint: loser.endpoint })
    const content = randomBytes(20 * mebibyte)
    t.is(await blobs.put('in/parts', { bytes: content }), 'stored')
    t.is(loser.lost(), 1)
    t.true((await readBytes(blobs, 'in/parts')).equals(content))
  })

  test.serial('an upload in parts that is aborted leaves no parts behind', async (t) => {
    const abort = new AbortController()
    const options = { port, request: /partNumber=2/, times: Infinity, onLost: () => abort.abort() }
    const loser = await anAnswerLoser(t, options)
    const blobs = s3(t, { ...server, endpoint: loser.endpoint })
    const putting = blobs.put('aborted', { bytes: randomBytes(40 * mebibyte) }, { signal: abort.signal })
    t.like(await t.throwsAsync(putting, { any: true }), { name: 'AbortError' })
    t.is(await unfinishedUploads(server), 0)
    t.is(await blobs.stat('aborted'), undefined)
  })

  test.serial('an upload in parts of which one never gets through leaves no parts behind', async (t) => {
    const loser = await anAnswerLoser(t, { port, request: /partNumber=2/, times: Infinity })
    const blobs = s3(t, { ...server, endpoint: loser.endpoint })
    const failure = await t.throwsAsync(blobs.put('failed', await aBlobFile(t, randomBytes(40 * mebibyte))))
    t.true(isRetryable(failure))
    t.true(loser.lost() > 1, 'the part was tried again')
    t.is(await unfinishedUploads(server), 0)
    t.is(await blobs.stat('failed'), undefined)
  })
}

async function unfinishedUploads({ endpoint, bucket, accessKeyId, secretAccessKey }: CephGateway): Promise<number> {
  const credentials = { accessKeyId, secretAccessKey }
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials })
  const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))
  client.destroy()
  return Uploads.length
}

function s3(t: ExecutionContext, server: Pick<CephGateway, 'endpoint' | 'accessKeyId' | 'secretAccessKey'>): Blobs {
  const { endpoint, ...credentials } = server
  const blobs = openS3Blobs({ endpoint, credentials, bucket: 'vaak', prefix: `${randomUUID()}/`, log: aLog() })
  t.teardown(() => blobs.close())
  return blobs
}
