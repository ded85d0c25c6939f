import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { Api, ApiAnswer } from '../support/api.ts'
import { aBatchId, aFileId } from '../support/builders.ts'
import { batchService } from '../support/batch-service.ts'

/** What belongs to somebody else is, to everybody else, as if it did not exist: same status, same words. */

const service = batchService(test)

for (const [what, call] of [
  ['status', (api: Api, id: string) => api.get(`/transcribe/status/batch/${id}`)],
  ['results', (api: Api, id: string) => api.get(`/transcribe/results/batch/${id}`)],
  ['raw results', (api: Api, id: string) => api.get(`/transcribe/results/batch/${id}?raw=true`)],
  ['filtered results', (api: Api, id: string) => api.get(`/transcribe/results/batch/${id}?status=completed`)],
  ['filtered raw results', (api: Api, id: string) => api.get(`/transcribe/results/batch/${id}?status=failed&raw=1`)],
  ['download', (api: Api, id: string) => api.get(`/transcribe/download/batch/${id}`)],
  ['filtered download', (api: Api, id: string) => api.get(`/transcribe/download/batch/${id}?status=completed`)],
] as const)
  test(`the ${what} of another user's batch cannot be told from one that is missing`, async (t) => {
    const theirs = await service.user(t)
    const { batch } = await (await service.records()).layOut(theirs.owner, [{ stage: 'completed' }])
    const { api } = await service.user(t)
    alike(t, await call(api, batch.batchId), await call(api, aBatchId()))
    t.is((await call(theirs.api, batch.batchId)).status, 200)
  })

for (const stage of ['completed', 'queued'] as const)
  test(`the result of another user's file that is ${stage} cannot be told from one that is missing`, async (t) => {
    const theirs = await service.user(t)
    const { refs } = await (
      await service.records()
    ).layOut(theirs.owner, [{ stage }, { stage, url: 'https://x.example' }])
    const { api } = await service.user(t)
    for (const { fileId } of refs) {
      const missing = await api.get(`/transcribe/results/file/${aFileId()}`)
      alike(t, await api.get(`/transcribe/results/file/${fileId}`), missing)
      t.is((await theirs.api.get(`/transcribe/results/file/${fileId}`)).status, 200)
    }
  })

test("another user's files and keys cannot be told from missing ones when they are submitted", async (t) => {
  const theirs = await service.uploader(t, 'completed')
  const { api } = await service.user(t)
  const [fileId] = theirs.fileIds
  const missing = aFileId()
  const submit = (json: object): Promise<ApiAnswer> => api.post('/transcribe/batch', { json })
  alike(t, await submit({ file_ids: [fileId] }), await submit({ file_ids: [missing] }))
  const [key, noKey] = [theirs.keyOf(fileId!), theirs.keyOf(missing)]
  alike(t, await submit({ sources: [{ gcs_key: key }] }), await submit({ sources: [{ gcs_key: noKey }] }))
})

/** But for the ids themselves. */
function alike(t: ExecutionContext, one: ApiAnswer, other: ApiAnswer): void {
  const plain = ({ status, body }: ApiAnswer): string =>
    `${status} ${JSON.stringify(body)}`.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id')
  t.is(plain(one), plain(other))
}
