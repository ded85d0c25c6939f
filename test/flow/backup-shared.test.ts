import { join } from 'node:path'

import test from 'ava'

import { uploadForm } from '../support/api.ts'
import { destroyStore } from '../support/destroyed-store.ts'
import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { aGateway, gatewayEnvironment } from '../support/gateway.ts'
import { aNatsServer } from '../support/nats.ts'
import { objectsIn, recordingsIn } from '../support/on-disk.ts'
import { runVaak } from '../support/processes.ts'
import { aNoisyWav } from '../support/resumable.ts'

/** A backup knows nothing of files that came later and refer to bytes of one that is in it. */

const content = aNoisyWav(63, 1)

test('a file that came after the backup and shares its bytes with an older one outlives that one', async (t) => {
  const nats = await aNatsServer(t)
  const gateway = await aGateway(t, nats)
  const { api, dataDir } = gateway
  const folder = join(await aFolder(t), 'saved')
  const vaak = (...words: string[]) => runVaak(t, words, gatewayEnvironment(nats, { dataDir }))
  const send = async (): Promise<string> => {
    const { body } = await api.post('/files/upload', { body: uploadForm({ name: 'short.wav', content }) })
    const { batch_upload_id: id, files } = body
    await eventually('it is stored', async () => (await api.get(`/files/upload/${id}`)).body.status === 'completed')
    return files[0].file_id
  }
  const first = await send()
  t.is((await vaak('backup', folder)).code, 0)
  const second = await send()
  await gateway.close()
  t.is((await recordingsIn(dataDir)).length, 1)
  await destroyStore(nats)
  const { code, stdout, stderr } = await vaak('restore', folder)
  t.is(code, 0, stderr)
  t.regex(stdout, /\n1 files are listed again, 1 were known, 0 are deleted, 0 could not be used\.\n$/)

  const { api: later } = await aGateway(t, nats, { dataDir })
  const gone = await later.delete('/files', { json: { file_ids: [first] } })
  t.like(gone.body, { deleted_count: 1, storage_objects_deleted: 0 })
  t.is((await later.get(`/files/${second}/audio?original=true`)).status, 200)
  t.is((await later.delete('/files', { json: { file_ids: [second] } })).body.storage_objects_deleted, 1)
  t.deepEqual(await objectsIn(dataDir), [])
})
