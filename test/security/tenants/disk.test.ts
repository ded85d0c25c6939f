import { statfs } from 'node:fs/promises'

import test from 'ava'

import { openRoom } from '../../../infra/blobs/room.ts'
import { uploadForm } from '../../support/api.ts'
import { eventually } from '../../support/eventually.ts'
import { aGateway } from '../../support/gateway.ts'
import { aWav } from '../../support/media.ts'
import { aMultipart, multipartType } from '../../support/multipart.ts'
import { uploadsIn } from '../../support/on-disk.ts'
import { head, rawConnection } from '../../support/raw-http.ts'
import { sharedService } from '../../support/service.ts'
import { spoolContent } from '../../support/spool-content.ts'
import { aSmallDisk, testWithSmallDisk } from '../../support/small-disk.ts'

const testOnSmallDisk = await testWithSmallDisk()
const service = sharedService(test)
const mebibyte = 1024 * 1024
const diskBytes = 24 * mebibyte
const reserveBytes = 8 * mebibyte

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

testOnSmallDisk('uploads that do not say their size leave the reserve of the disk alone', async (t) => {
  const dataDir = await aSmallDisk(t, diskBytes)
  const gateway = await aGateway(t, service.nats, {
    dataDir,
    environment: { SPOOL_RESERVE_BYTES: String(reserveBytes) },
  })
  const token = await gateway.tokenOf('hostile')
  let leastBytes = Infinity
  const watching = setInterval(
    () => void freeBytes(dataDir).then((bytes) => (leastBytes = Math.min(leastBytes, bytes))),
    5,
  )
  t.teardown(() => clearInterval(watching))
  // of four that send at the same time, none is too large by itself
  const flood = Array.from({ length: 4 }, async () => {
    const connection = await rawConnection(t, gateway.url)
    const body = aMultipart({ content: Buffer.concat([aWav({ seconds: 1 }), Buffer.alloc(10 * mebibyte)]) })
    await connection.send(
      head(
        'POST /files/upload HTTP/1.1',
        'Host: vaak',
        `Authorization: Bearer ${token}`,
        `Content-Type: ${multipartType}`,
        'Transfer-Encoding: chunked',
      ),
      `${body.length.toString(16)}\r\n`,
      body,
      '\r\n0\r\n\r\n',
    )
    return connection.answer()
  })
  const statuses = (await Promise.all(flood)).map(({ status }) => status)
  t.true(statuses.includes(503), statuses.join())
  t.true(leastBytes >= reserveBytes, `${leastBytes} bytes were left`)

  await eventually('what was refused is gone', async () => {
    const kept = await uploadsIn(dataDir)
    return kept.length <= statuses.filter((status) => status === 202).length
  })
  const good = await gateway.apiOf('good')
  const answer = await good.post('/files/upload', {
    body: uploadForm({ name: 'one.wav', content: aWav({ seconds: 1 }) }),
  })
  t.is(answer.status, 202)
})

testOnSmallDisk('an upload that announces all the room and sends nothing keeps it from nobody', async (t) => {
  const dataDir = await aSmallDisk(t, diskBytes)
  const gateway = await aGateway(t, service.nats, { dataDir })
  const connection = await rawConnection(t, gateway.url)
  const bearer = `Authorization: Bearer ${await gateway.tokenOf('hostile')}`
  const announced = `Content-Length: ${20 * mebibyte}`
  const lines = ['Host: vaak', bearer, `Content-Type: ${multipartType}`, announced, 'Expect: 100-continue']
  await connection.send(head('POST /files/upload HTTP/1.1', ...lines))
  t.is((await connection.answer()).status, 100)
  await connection.send(aMultipart({ content: aWav({ seconds: 1 }) }).subarray(0, 1000))
  const good = await gateway.apiOf('good')
  const answer = await good.post('/files/upload', {
    body: uploadForm({ name: 'one.wav', content: Buffer.concat([aWav({ seconds: 1 }), Buffer.alloc(10 * mebibyte)]) }),
  })
  t.is(answer.status, 202)
  connection.socket.destroy()
  await eventually('what came of it is gone', async () => (await spoolContent(gateway.spoolFolder)).length === 0)
})

testOnSmallDisk('what is set aside for one stream is not given to another, and is given back', async (t) => {
  const folder = await aSmallDisk(t, 4 * mebibyte)
  const room = openRoom({ folder, reserveBytes: await freeBytes(folder).then((free) => free - 2 * mebibyte) })
  const stream = async function* (): AsyncGenerator<Uint8Array> {
    for (;;) yield Buffer.alloc(mebibyte)
  }
  const held = [1, 2].map(() => room.pass(stream())[Symbol.asyncIterator]())
  for (const one of held) t.false((await one.next()).done)
  const third = room.pass(stream())[Symbol.asyncIterator]()
  await t.throwsAsync(third.next(), { code: 'ENOSPC' })
  await held[0]!.return?.()
  t.false((await room.pass(stream())[Symbol.asyncIterator]().next()).done)
})
