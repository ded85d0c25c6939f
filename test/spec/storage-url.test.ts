import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'

import { markName } from '../../infra/blobs/identity.ts'
import { openBlobs } from '../../infra/blobs/open.ts'
import { parseStorageUrl } from '../../infra/blobs/storage-url.ts'
import { blobBytes } from '../contract/blobs.ts'
import { aFolder } from '../support/folder.ts'
import { aLog } from '../support/log.ts'

const s3 = { kind: 's3', endpoint: undefined, region: undefined, prefix: undefined, forcePathStyle: undefined } as const

for (const [text, location] of [
  ['disk:', { kind: 'disk', folder: undefined }],
  ['disk:/srv/vaak', { kind: 'disk', folder: '/srv/vaak' }],
  ['disk:///srv/vaak', { kind: 'disk', folder: '/srv/vaak' }],
  ['s3://speech', { ...s3, bucket: 'speech' }],
  ['s3://speech/', { ...s3, bucket: 'speech' }],
  ['s3://speech?region=eu-central-1', { ...s3, bucket: 'speech', region: 'eu-central-1' }],
  [
    's3://speech.in?endpoint=http://127.0.0.1:9000&prefix=vaak/prod&path_style=false',
    { ...s3, bucket: 'speech.in', endpoint: 'http://127.0.0.1:9000', prefix: 'vaak/prod/', forcePathStyle: false },
  ],
  ['s3://speech?endpoint=&region=&prefix=vaak/', { ...s3, bucket: 'speech', prefix: 'vaak/' }],
] as const)
  test(`${text} is understood`, (t) => {
    t.deepEqual(parseStorageUrl(text), location)
  })

for (const [text, reason] of [
  ['', /must be `disk:`/],
  ['gs://bucket', /must be `disk:`/],
  ['S3://bucket', /must be `disk:`/],
  ['disk:relative', /must be absolute/],
  ['disk://srv/vaak', /must be absolute/],
  ['s3://', /3 to 63/],
  ['s3://UPPER_case', /3 to 63/],
  ['s3://speech/folder', /\?prefix=/],
  ['s3://speech:9000', /\?endpoint=/],
  ['s3://key:secret@speech', /must not hold keys/],
  ['s3://speech?endpont=x', /unknown parameter; known are endpoint/],
  ['s3://speech?region=a&region=b', /more than once/],
  ['s3://speech?region=Far Away', /eu-central-1/],
  ['s3://speech?endpoint=storage:9000', /https:\/\/storage/],
  ['s3://speech?endpoint=http://key:secret@host', /https:\/\/storage/],
  ['s3://speech?prefix=../up', /such as vaak/],
  ['s3://speech?path_style=maybe', /true or false/],
] as const)
  test(`"${text}" is refused with a sentence that tells why`, (t) => {
    const error = t.throws(() => parseStorageUrl(text), { message: reason })
    t.regex(error?.message ?? '', /^[A-Z].*\.$/)
    t.notRegex(error?.message ?? '', /secret@/)
  })

test('disk: alone stores below the default folder', async (t) => {
  const defaultFolder = join(await aFolder(t), 'objects')
  const blobs = await openBlobs('disk:', { defaultFolder, accessKeyId: '', secretAccessKey: '', log: aLog() })
  await blobs.put('a', blobBytes('x'))
  t.deepEqual(await readdir(join(defaultFolder, 'stored')), ['a', markName])
})

test('half a pair of keys is refused', async (t) => {
  const options = { defaultFolder: '/nowhere', log: aLog() }
  await t.throwsAsync(openBlobs('s3://speech', { ...options, accessKeyId: 'id' }), { message: /both/ })
  await t.throwsAsync(openBlobs('s3://speech', { ...options, secretAccessKey: 'key' }), { message: /both/ })
})
