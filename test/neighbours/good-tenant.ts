import { readFile } from 'node:fs/promises'

import { apiAt } from '../support/api.ts'
import type { Api, ApiAnswer } from '../support/api.ts'
import { submit, uploadRecordings } from '../support/pipeline.ts'
import { converse } from '../soak/converse.ts'

/** What one thing that the good tenant did took, or why it failed. */
export interface Deed {
  readonly what: string
  readonly ms: number
  readonly failure: string | undefined
}

const sample = 'infra/samples/hinglish.wav'
/** A batch that takes longer counts as stuck. */
const batchWithinMs = 120_000
/** What is small comes in numbers, as from a page that somebody works with; of a few, the p95 would be the slowest. */
const smallTimes = 5
/** A conversation takes as long as everything else together. */
const talkEvery = 2

interface GoodTenant {
  readonly url: string
  readonly token: string
  readonly tell: (deed: Deed) => void
}

/** A person at work: uploads, has it transcribed, reads, searches, is read to, talks, and cleans up. */
export async function goodRound({ url, token, tell }: GoodTenant, number: number): Promise<void> {
  const api = apiAt(url, token)
  const doing = async <T>(what: string, act: () => Promise<T>): Promise<T | undefined> => {
    const startedMs = performance.now()
    const done = await act().then(
      (value) => ({ value, failure: undefined }),
      (error: unknown) => ({ value: undefined, failure: String(error) }),
    )
    tell({ what, ms: performance.now() - startedMs, failure: done.failure })
    return done.value
  }

  const fileId = await doing('have a clip transcribed', () => transcribe(api))
  const spare = (await doing('upload recordings', () => uploaded(api, smallTimes))) ?? []
  const compared = { reference: 'कल की meeting है', hypothesis: 'कल की मीटिंग है' }
  for (let time = 0; time < smallTimes; time += 1) {
    await doing('list the files', () => asked(api.get('/files?limit=50')))
    if (fileId !== undefined)
      await doing('read the transcript', () => asked(api.get(`/transcribe/results/file/${fileId}`)))
    await doing('search', () => asked(api.get('/search?q=meeting')))
    await doing('compare two texts', () => asked(api.post('/transcribe/evaluate', { json: compared })))
    const unwanted = spare[time]
    if (unwanted !== undefined) await doing('delete', () => removed(api, unwanted))
  }
  const said = { voice: 'maya', input: 'The train leaves at ten.', response_format: 'wav' }
  await doing('have a sentence read', () => asked(api.post('/v1/audio/speech', { json: said })))
  if (number % talkEvery === 0) await doing('talk', () => converse(url, token, number / talkEvery))
  if (fileId !== undefined) await doing('delete', () => removed(api, fileId))
}

async function uploaded(api: Api, count: number): Promise<string[]> {
  const content = await readFile(sample)
  const parts = Array.from({ length: count }, (_, at) => ({ name: `call ${at}.wav`, content }))
  const { body } = await api.get(`/files/upload/${await uploadRecordings(api, parts)}`)
  return body.files.map(({ file_id: id }: { file_id: string }) => id)
}

function removed(api: Api, fileId: string): Promise<ApiAnswer> {
  return asked(api.delete('/files', { json: { file_ids: [fileId] } }))
}

async function transcribe(api: Api): Promise<string> {
  const batch = await submit(api, [{ name: 'call.wav', content: await readFile(sample) }], {})
  const { files } = await batch.finished(batchWithinMs)
  if (files[0].status !== 'completed') throw new Error(`the file is ${files[0].status}: ${JSON.stringify(files[0])}`)
  return String(files[0].file_id)
}

async function asked(answering: Promise<ApiAnswer>): Promise<ApiAnswer> {
  const answer = await answering
  if (answer.status >= 400) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer
}
