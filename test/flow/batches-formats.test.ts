import test from 'ava'

import { transcriptKey } from '../../actors/ids.ts'
import { batchService } from '../support/batch-service.ts'
import { runVaak } from '../support/processes.ts'
import { aToldTranscript } from '../support/told-transcripts.ts'
import { unzip } from '../support/unzip.ts'

const service = batchService(test)

test('a file is read as text, as subtitles, or as a line of JSON', async (t) => {
  const { api, owner } = await service.user(t)
  const { refs } = await (
    await service.records()
  ).layOut(owner, [{ stage: 'completed', text: 'मेरा', filename: 'कॉल "1".wav' }])
  const path = `/transcribe/results/file/${refs[0]!.fileId}`
  const text = await api.get(`${path}?format=text`)
  t.is(text.body, 'मेरा\n')
  t.is(text.headers.get('content-type'), 'text/plain; charset=utf-8')
  t.is(
    text.headers.get('content-disposition'),
    `attachment; filename="___ _1_.txt"; filename*=UTF-8''${encodeURIComponent('कॉल _1_.txt')}`,
  )
  const srt = await api.get(`${path}?format=srt&tags=false`)
  t.is(srt.body, '1\n00:00:00,000 --> 00:00:01,000\nमेरा\n')
  t.is(srt.headers.get('content-type'), 'application/x-subrip; charset=utf-8')
  const vtt = await api.get(`${path}?format=vtt&tags=false&speakers=true&script=latin`)
  t.is(vtt.body, 'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n<v speaker-1>mera\n')
  const line = await api.get(`${path}?format=ndjson`)
  t.is(line.headers.get('content-type'), 'application/x-ndjson; charset=utf-8')
  t.deepEqual(JSON.parse(String(line.body)), (await api.get(path)).body)
})

test('the script is chosen when a result is read', async (t) => {
  const { api, owner } = await service.user(t)
  const { batch } = await (await service.records()).layOut(owner, [{ stage: 'completed', text: 'मेरा' }])
  const { body } = await api.get(`/transcribe/results/batch/${batch.batchId}?script=latin&tags=false`)
  t.is(body.files[0].result.text, 'mera')
  t.is(body.files[0].result.script, 'latin')
  t.deepEqual(body.files[0].result.segments[0].tags, [])
  const native = await api.get(`/transcribe/results/batch/${batch.batchId}`)
  t.is(native.body.files[0].result.text, 'मेरा')
  t.is((await api.get(`/transcribe/results/batch/${batch.batchId}?script=greek`)).status, 400)
})

test('numbers are figures when a result, a file or a download is asked for them, and as they were spoken otherwise', async (t) => {
  const { api, owner } = await service.user(t)
  const { batch, refs } = await (await service.records()).layOut(owner, [{ stage: 'completed', text: 'पच्चीस' }])
  const results = `/transcribe/results/batch/${batch.batchId}`
  t.is((await api.get(`${results}?tags=false`)).body.files[0].result.text, 'पच्चीस')
  t.is((await api.get(`${results}?tags=false&numerals=true`)).body.files[0].result.text, '25')
  const file = `/transcribe/results/file/${refs[0]!.fileId}?format=text&tags=false`
  t.is((await api.get(`${file}&numerals=devanagari`)).body, '२५\n')
  const srt = await api.get(`/transcribe/download/batch/${batch.batchId}?format=srt&tags=false&numerals=true`)
  t.is(srt.body, '1\n00:00:00,000 --> 00:00:01,000\n25\n')
  t.is((await api.get(`${results}?numerals=roman`)).status, 400)
})

test('what people say while they look for words is left out where it is asked for, also by the command, and kept otherwise', async (t) => {
  const { api, owner, token } = await service.user(t)
  const records = await service.records()
  const { batch, refs } = await records.layOut(owner, [{ stage: 'completed' }])
  const said = aToldTranscript({ text: 'um I think I think so.' })
  await records.blobs.put(transcriptKey(refs[0]!), { bytes: Buffer.from(JSON.stringify(said)) })
  const results = `/transcribe/results/batch/${batch.batchId}`
  const file = `/transcribe/results/file/${refs[0]!.fileId}`
  const cleaned = (await api.get(`${results}?style=clean`)).body.files[0].result
  t.is(cleaned.text, 'I think so.')
  t.is(cleaned.segments[0].words.at(-1).end, 3, 'words keep their times')
  for (const query of ['', '?style=verbatim']) t.is((await api.get(file + query)).body.result.text, said.result.text)
  t.is((await api.get(`${file}?format=text&style=clean`)).body, 'I think so.\n')
  const srt = await api.get(`/transcribe/download/batch/${batch.batchId}?format=srt&style=clean`)
  t.regex(String(srt.body), /\nI think so\.\n$/)
  for (const path of [results, file]) t.is((await api.get(`${path}?style=tidy`)).status, 400)
  const environment = { VAAK_URL: api.url, VAAK_TOKEN: token }
  const vaak = (...words: string[]) => runVaak(t, words, environment)
  const read = await vaak('results', '--file', refs[0]!.fileId, '--style', 'clean')
  t.is(read.code, 0, read.stderr)
  t.regex(read.stdout, /(?<!I think )I think so\./)
  t.is((await vaak('results', '--file', refs[0]!.fileId, '--style', 'tidy')).code, 2)
})

test('a file without a transcript says why it cannot be read', async (t) => {
  const { api, owner } = await service.user(t)
  const { refs } = await (await service.records()).layOut(owner, [{ stage: 'running' }, { stage: 'uncut' }])
  const [running, uncut] = refs.map(({ fileId }) => `/transcribe/results/file/${fileId}?format=srt`)
  const { status, body } = await api.get(running!)
  t.is(status, 409)
  t.is(body.detail, 'There is no transcript of this file to read: it is processing.')
  t.regex((await api.get(uncut!)).body.detail, /it is failed: /)
})

test('the text of a batch has a heading for each file, and the reason of those without one', async (t) => {
  const { api, owner } = await service.user(t)
  const { batch } = await (
    await service.records()
  ).layOut(owner, [
    { stage: 'completed', text: 'one', filename: 'a.wav' },
    { stage: 'queued', filename: 'b.wav' },
  ])
  const { body, headers } = await api.get(`/transcribe/download/batch/${batch.batchId}?format=text`)
  t.is(body, '==> a.wav <==\none\n\n==> b.wav <==\n(it is queued)\n')
  t.regex(headers.get('content-disposition') ?? '', /\.txt"/)
})

test('subtitles of one file are a file, of several a ZIP that names those without', async (t) => {
  const { api, owner, token } = await service.user(t)
  const records = await service.records()
  const one = await records.layOut(owner, [{ stage: 'completed', text: 'one', filename: 'a.wav' }])
  const plain = await api.get(`/transcribe/download/batch/${one.batch.batchId}?format=srt&tags=false`)
  t.is(plain.body, '1\n00:00:00,000 --> 00:00:01,000\none\n')
  t.regex(plain.headers.get('content-disposition') ?? '', /filename="a\.srt"/)
  const several = await records.layOut(owner, [
    { stage: 'completed', text: 'one', filename: 'a.wav' },
    { stage: 'completed', text: 'दो', filename: 'कॉल?.wav' },
    { stage: 'uncut', filename: 'c.wav' },
  ])
  const path = `/transcribe/download/batch/${several.batch.batchId}?format=vtt&tags=false`
  const answer = await fetch(service.shared.url + path, { headers: { Authorization: `Bearer ${token}` } })
  t.is(answer.headers.get('content-type'), 'application/zip')
  const entries = unzip(Buffer.from(await answer.arrayBuffer()))
  t.deepEqual(entries.slice(0, 2), [
    ['00001-a.vtt', 'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\none\n'],
    ['00002-कॉल_.vtt', 'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nदो\n'],
  ])
  t.is(entries[2]![0], 'not-transcribed.txt')
  t.regex(entries[2]![1], /^00003 c\.wav: it is failed: /)
})

test('jobs have no form for people', async (t) => {
  const { api, owner } = await service.user(t)
  const { batch } = await (await service.records()).layOut(owner, [{ stage: 'completed' }])
  const { status, body } = await api.get(`/transcribe/download/batch/${batch.batchId}?format=srt&raw=true`)
  t.is(status, 400)
  t.regex(body.detail, /ask for ndjson or json/)
})
