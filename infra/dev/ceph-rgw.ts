// An S3 server to develop against: `node .build/infra/dev/ceph-rgw.js FOLDER` prints where it is and how to get in, as
// one line of JSON, and runs until it is interrupted. Its objects are in memory and go with it.
import { once } from 'node:events'
import { resolve } from 'node:path'

import { startCeph } from './ceph/start.ts'

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('Say where its logs and its configuration go: ceph-rgw FOLDER')
  process.exit(2)
}

const ceph = await startCeph(resolve(folder))
const { endpoint, bucket, accessKeyId, secretAccessKey } = ceph
console.log(JSON.stringify({ endpoint, bucket, accessKeyId, secretAccessKey, pids: ceph.pids() }))

await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
await ceph.stop()
