import { randomUUID } from 'node:crypto'

import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { ObjectStorage } from '../../actors/upload/ports.ts'
import { markName } from '../../infra/blobs/identity.ts'
import { readMark } from '../../infra/blobs/open.ts'
import { openS3Blobs } from '../../infra/blobs/s3.ts'
import type { S3Options } from '../../infra/blobs/s3-client.ts'
import { openTrialStore } from '../../infra/blobs/trial.ts'
import { brokenPromise } from '../../infra/cli/doctor/storage.ts'
import type { CephGateway } from '../../infra/dev/ceph/start.ts'
import { cephOrSkip } from '../support/ceph.ts'
import { eventually } from '../support/eventually.ts'
import { aLog } from '../support/log.ts'
import { blobsContract, blobBytes, readText } from './blobs.ts'
import { storeMarkContract } from './store-mark.ts'

const ceph = await cephOrSkip('the contract of the object store on a real S3 server')
if (ceph) contractOn(ceph)
else test.skip('the S3 contract', (t) => t.fail())

function contractOn(server: CephGateway): void {
  const { endpoint, bucket, accessKeyId, secretAccessKey } = server
  const credentials = { accessKeyId, secretAccessKey }
  const connect = (t: ExecutionContext, options: Partial<S3Options> = {}): ObjectStorage => {
    const blobs = openS3Blobs({ endpoint, bucket, credentials, log: aLog(), ...options })
    t.teardown(() => blobs.close())
    return blobs
  }

  test.after.always('stop Ceph', () => server.stop())

  blobsContract(test, async (t) => connect(t, { prefix: `${randomUUID()}/` }))

  storeMarkContract(test, async (t) => {
    const prefix = `${randomUUID()}/`
    const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials })
    t.teardown(() => client.destroy())
    const mark = { Bucket: bucket, Key: prefix + markName }
    return {
      open: (known) => Promise.resolve(connect(t, { prefix, known })),
      readMark: () =>
        client.send(new GetObjectCommand(mark)).then(
          ({ Body }) => Body?.transformToString(),
          () => undefined,
        ),
      async writeMark(name) {
        if (name === undefined) await client.send(new DeleteObjectCommand(mark))
        else await client.send(new PutObjectCommand({ ...mark, Body: name }))
      },
    }
  })

  test('a prefix keeps two services in one bucket apart', async (t) => {
    const shared = randomUUID()
    const [one, other] = [connect(t, { prefix: `${shared}/one/` }), connect(t, { prefix: `${shared}/other/` })]
    await one.put('a/b', blobBytes('of one'))
    await other.put('a/b', blobBytes('of the other'))
    t.is(await one.removeAll('a/'), 1)
    t.is(await readText(other, 'a/b'), 'of the other')
  })

  test('a trial has a place of its own, keeps its promises, and leaves nothing', async (t) => {
    const prefix = `${randomUUID()}/`
    const url = `s3://${bucket}?endpoint=${encodeURIComponent(endpoint)}&prefix=${prefix}`
    const options = { ...credentials, defaultFolder: '', log: aLog() }
    const service = connect(t, { prefix })
    await service.put('trial/ours', blobBytes('ours'))
    const marked = await readMark(url, options)
    const { storage, remove } = await openTrialStore(url, options)
    t.is(await brokenPromise(storage), undefined)
    await remove()
    t.is(await readText(service, 'trial/ours'), 'ours')
    t.truthy(marked.name)
    const left: string[] = []
    const whole = connect(t)
    for await (const { key } of whole.list(prefix)) left.push(key)
    t.deepEqual(left, [`${prefix}trial/ours`, `${prefix}${markName}`])
  })

  test('more objects than fit on a page are removed and counted', async (t) => {
    const blobs = connect(t, { prefix: `${randomUUID()}/` })
    const count = 1003
    await inTurns(count, (index) => blobs.put(`many/${index}`, blobBytes('x')))
    t.is(await blobs.removeAll('many/'), count)
    t.is(await blobs.removeAll('many/'), 0)
  })

  test('wrong keys are told from a missing bucket, and both are for the operator to mend', async (t) => {
    const wrongSecret = connect(t, { credentials: { accessKeyId, secretAccessKey: 'wrong' } })
    const wrongUser = connect(t, { credentials: { accessKeyId: 'nobody', secretAccessKey: 'wrong' } })
    const noBucket = connect(t, { bucket: 'not-there' })
    /** A check waits for a short while only, and a busy server may take longer. */
    const refusedWith = async (message: RegExp, attempt: () => Promise<unknown>): Promise<void> => {
      const isSo = async (): Promise<boolean> => message.test(await attempt().then(() => '', messageOf))
      t.true(await eventually(`it is refused with ${message}`, isSo))
    }
    for (const blobs of [wrongSecret, wrongUser])
      for (const attempt of [() => blobs.check(), () => blobs.stat('a')])
        await refusedWith(/^storage_unavailable: The object store refuses our keys/, attempt)
    for (const attempt of [
      () => noBucket.check(),
      () => noBucket.stat('a'),
      () => noBucket.open('a'),
      () => noBucket.removeAll('a/'),
    ])
      await refusedWith(/^storage_unavailable: The storage bucket does not exist/, attempt)
  })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** A few at a time. */
async function inTurns(count: number, act: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const turn = async (): Promise<void> => {
    while (next < count) await act(next++)
  }
  await Promise.all(Array.from({ length: 16 }, turn))
}
