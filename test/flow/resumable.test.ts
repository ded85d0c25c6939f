import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'

import type { Owner } from '../../actors/ids.ts'
import { claimKey } from '../../gateway/idempotency.ts'
import type { Api } from '../support/api.ts'
import { createRandom } from '../sim/random.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { aGateway, clientOf, gatewayEnvironment } from '../support/gateway.ts'
import { aLossyProxy } from '../support/lossy-proxy.ts'
import { aNatsServer } from '../support/nats.ts'
import { startVaak } from '../support/processes.ts'
import { aNoisyWav, storedBytesOf, beginByHand, headOf, pieceAt, sendAndHang, sendByTus } from '../support/resumable.ts'
import { ownerOf, sharedService } from '../support/service.ts'

/** Uploads that go on where they broke off, with the client that everybody has. */

const service = sharedService(test)

async function storedFile(api: Api, token: string, fileId: string): Promise<Buffer> {
  await eventually('the file is stored', async () => {
    const { body } = await api.get('/files?upload_status=completed')
    return body.files.some((file: { file_id: string }) => file.file_id === fileId)
  })
  return storedBytesOf(api, token, fileId)
}

/** Whatever is left of uploads of a user that are not finished. */
async function leftIn(dataDir: string, owner: Owner): Promise<string[]> {
  const folders = ['begun', 'pieces'].map((what) => join(dataDir, 'objects', 'stored', 'resumable', what, owner))
  return (await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])))).flat()
}

for (const seed of [1, 2, 3, 4, 5])
  test(`a recording whose connection is cut at random bytes arrives whole (seed ${seed})`, async (t) => {
    const { api, token, owner } = await service.user(t)
    const random = createRandom(seed, 'cuts')
    const content = aNoisyWav(seed, 20)
    const proxy = await aLossyProxy(t, Number(new URL(service.url).port))
    const cuts = Array.from({ length: 12 }, () => random.below(random.chance(0.3) ? 600 : content.length / 4))
    proxy.cutAfter(cuts)
    const url = `http://127.0.0.1:${proxy.port}`
    const chunk = random.chance(0.5) ? { chunkBytes: random.between(50_000, 200_000) } : {}
    const { fileId } = await sendByTus({ url, token, content, filename: 'train.wav', ...chunk })
    t.true(proxy.cuts > 0)
    t.true((await storedFile(api, token, fileId)).equals(content))
    const { body } = await api.get('/files')
    t.is(body.total_files, 1)
    t.like(body.files[0], { file_id: fileId, filename: 'train.wav', size_bytes: content.length })
    t.deepEqual(await leftIn(service.dataDir, owner), [])
  })

test('what came before a cut is not sent again', async (t) => {
  const { token } = await service.user(t)
  const content = aNoisyWav(7, 30)
  const proxy = await aLossyProxy(t, Number(new URL(service.url).port))
  proxy.cutAfter([700_000])
  const offsets: number[] = []
  await sendByTus({
    url: `http://127.0.0.1:${proxy.port}`,
    token,
    content,
    onAnswer: (request, response) => {
      if (request.getMethod() === 'HEAD') offsets.push(Number(response.getHeader('Upload-Offset')))
    },
  })
  t.is(offsets.length, 1)
  t.true(offsets[0]! > 600_000, `${offsets[0]} bytes were kept`)
})

test('the first bytes may come with the request that begins it, and be all', async (t) => {
  const { api, token } = await service.user(t)
  const content = aNoisyWav(8, 1)
  const { fileId, resumableUrl } = await sendByTus({ url: service.url, token, content, isAtOnce: true })
  t.true((await storedFile(api, token, fileId)).equals(content))
  t.is((await headOf(resumableUrl, token)).headers.get('Vaak-File-Id'), fileId)
})

test('it becomes the file that one request would have made of it', async (t) => {
  const { api, token } = await service.user(t)
  const content = aNoisyWav(9, 2)
  const form = new FormData()
  form.append('files', new File([content], 'call.wav'))
  const headers = { 'Idempotency-Key': 'the-whole' }
  const whole = await eventually('it is taken, however busy the broker is', async () => {
    const { status, body } = await api.post('/files/upload?deduplicate=false', { body: form, headers })
    return status === 202 ? body : undefined
  })
  const { fileId } = await sendByTus({ url: service.url, token, content, filename: 'calls/call.wav' })
  const sent = await eventually('both are stored', async () => {
    const { body } = await api.get('/files?upload_status=completed')
    return body.total_files === 2 ? body.files : undefined
  })
  const { file_id: _, gcs_key: __, batch_upload_id: uploadId, ...one } = sent.find((f: { file_id: string }) => f.file_id === fileId) // prettier-ignore
  const { file_id: ___, gcs_key: ____, batch_upload_id: _____, ...other } = sent.find((f: { file_id: string }) => f.file_id === whole.files[0].file_id) // prettier-ignore
  t.deepEqual(one, other)
  t.like((await api.get(`/files/upload/${uploadId}`)).body, { status: 'completed', total_files: 1 })
})

test('an answer that was lost with the last byte is given again, and there is one file', async (t) => {
  const { api, token } = await service.user(t)
  const content = aNoisyWav(10, 1)
  const proxy = await aLossyProxy(t, Number(new URL(service.url).port))
  const through = { ...api, url: `http://127.0.0.1:${proxy.port}` }
  const address = await beginByHand(api, content.length)
  proxy.loseNextAnswer()
  await t.throwsAsync(
    fetch(through.url + address, {
      method: 'PATCH',
      body: content,
      headers: { Authorization: `Bearer ${token}`, ...pieceAt(0) },
    }),
  )
  const { headers } = await headOf(service.url + address, token)
  t.is(headers.get('Upload-Offset'), String(content.length))
  const { body } = await api.get('/files')
  t.deepEqual([body.total_files, body.files[0].file_id], [1, headers.get('Vaak-File-Id')])
  t.like((await api.get(address)).body, { file_id: body.files[0].file_id, received_bytes: content.length })
})

test('what was finished while the broker took no note of it says what it became', async (t) => {
  const { api, owner } = await service.user(t)
  const content = aNoisyWav(15, 1)
  const address = await beginByHand(api, content.length)
  const { headers } = await api.patch(address, { headers: pieceAt(0), body: content })
  const { claims } = await service.stored()
  const key = claimKey('resumable', owner, address.split('/').at(-1)!)
  const { value, revision } = (await claims.read(key))!
  if (value.state !== 'answered') return t.fail('it is not noted')
  await claims.replace(key, { state: 'running', id: value.id, gatewayId: 'gone', bootId: 'gone' }, revision)
  t.is((await api.get(address)).body.file_id, headers.get('Vaak-File-Id'))
})

test('what is unfinished is listed with how far it is, and can be given up', async (t) => {
  const { api, owner } = await service.user(t)
  const content = aNoisyWav(11, 1)
  const address = await beginByHand(api, content.length, 'half.wav')
  t.is((await api.patch(address, { headers: pieceAt(0), body: content.subarray(0, 1000) })).status, 204)
  const { body } = await api.get('/files/resumable')
  t.is(body.count, 1)
  t.like(body.uploads[0], { filename: 'half.wav', size_bytes: content.length, received_bytes: 1000 })
  t.is((await api.delete(address)).status, 204)
  t.is((await api.get(address)).status, 404)
  t.is((await api.get('/files/resumable')).body.count, 0)
  t.deepEqual(await leftIn(service.dataDir, owner), [])
})

test('what a gateway acknowledged outlives its death in the middle of more', async (t) => {
  t.timeout(240_000)
  const nats = await aNatsServer(t)
  const dataDir = await aFolder(t)
  const settings = gatewayEnvironment(nats, { dataDir })
  const content = aNoisyWav(12, 600)
  const first = startVaak(t, ['gateway'], settings)
  const url = await first.ready()
  const { api, tokenOf } = await clientOf(t, { url, dataDir })
  const token = await tokenOf('asha')
  const address = await beginByHand(api, content.length)
  t.is((await api.patch(address, { headers: pieceAt(0), body: content.subarray(0, 1_000_000) })).status, 204)
  await sendAndHang(t, { url, token, address, offset: 1_000_000, content: content.subarray(1_000_000, -1) })
  await eventually('more than was acknowledged is stored', async () => {
    const { body } = await api.get(address)
    return body.received_bytes > 1_000_000
  })
  await first.kill9()

  const second = await aGateway(t, nats, { dataDir })
  const { headers } = await headOf(second.url + address, token)
  const offset = Number(headers.get('Upload-Offset'))
  t.true(offset > 1_000_000 && offset < content.length, String(offset))
  const rest = { headers: pieceAt(offset), body: content.subarray(offset) }
  const last = await second.api.patch(address, rest)
  t.is(last.status, 204)
  const fileId = last.headers.get('Vaak-File-Id') ?? ''
  t.true((await storedFile(second.api, token, fileId)).equals(content))
})

for (const point of ['upload.after-commit', 'upload.after-file-records', 'upload.after-accept', 'upload.before-answer'])
  test(`a gateway that dies at ${point} with the last byte leaves one file or none, and the next makes it one`, async (t) => {
    t.timeout(240_000)
    const nats = await aNatsServer(t)
    const dataDir = await aFolder(t)
    const content = aNoisyWav(13, 1)
    const dying = startVaak(
      t,
      ['gateway'],
      gatewayEnvironment(nats, { dataDir, environment: { FAULTS: `${point}:kill` } }),
    )
    const url = await dying.ready()
    const { api, tokenOf } = await clientOf(t, { url, dataDir })
    const token = await tokenOf('asha')
    const address = await beginByHand(api, content.length)
    await t.throwsAsync(api.patch(address, { headers: pieceAt(0), body: content }))
    await dying.ended

    const next = await aGateway(t, nats, { dataDir })
    const { headers } = await headOf(next.url + address, token)
    const fileId = headers.get('Vaak-File-Id') ?? ''
    t.true((await storedFile(next.api, token, fileId)).equals(content))
    t.is((await next.api.get('/files')).body.total_files, 1)
    t.deepEqual(await leftIn(dataDir, ownerOf('asha')), [])
  })

for (const uploadTo of ['spool', 'storage'])
  test(`with UPLOAD_TO=${uploadTo} an upload goes on at another gateway that shares nothing but storage`, async (t) => {
    const nats = await aNatsServer(t)
    const folder = await aFolder(t)
    const environment = { STORAGE_URL: `disk:${join(folder, 'objects')}`, UPLOAD_TO: uploadTo }
    const one = await aGateway(t, nats, { environment })
    const other = await aGateway(t, nats, { environment })
    const content = aNoisyWav(14, 3)
    const address = await beginByHand(one.api, content.length)
    await one.api.patch(address, { headers: pieceAt(0), body: content.subarray(0, 30_000) })
    t.is((await headOf(other.url + address, await other.tokenOf('asha'))).headers.get('Upload-Offset'), '30000')
    const last = await other.api.patch(address, { headers: pieceAt(30_000), body: content.subarray(30_000) })
    const fileId = last.headers.get('Vaak-File-Id') ?? ''
    t.is((await one.api.get(address)).body.file_id, fileId)
    t.true((await storedFile(one.api, await one.tokenOf('asha'), fileId)).equals(content))
    t.deepEqual(await leftIn(folder, ownerOf('asha')), [])
  })
