import test from 'ava'
import type { ExecutionContext } from 'ava'

import { editLimits } from '../../actors/edit/state.ts'
import { transcriptKey } from '../../actors/ids.ts'
import { oddTexts } from '../fuzz/odd-values.ts'
import { batchService } from '../support/batch-service.ts'
import { aToldTranscript } from '../support/told-transcripts.ts'

const service = batchService(test)

async function aWriter(t: ExecutionContext) {
  const user = await service.user(t)
  const records = await service.records()
  const { refs } = await records.layOut(user.owner, [{ stage: 'completed' }])
  const said = aToldTranscript({ text: 'my dada came home.' }, { text: 'when?', speaker: 'speaker-2' })
  await records.blobs.put(transcriptKey(refs[0]!), { bytes: Buffer.from(JSON.stringify(said)) })
  return { ...user, path: `/transcribe/results/file/${refs[0]!.fileId}` }
}

test("another user's transcript is not there to be edited, whatever version is said", async (t) => {
  const theirs = await aWriter(t)
  const { api } = await service.user(t)
  for (const version of [0, 1]) {
    const json = { version, changes: [{ type: 'text', segment: 0, text: 'mine' }] }
    t.is((await api.patch(theirs.path, { json })).status, 404)
    t.is((await api.as(undefined).patch(theirs.path, { json })).status, 401)
  }
  t.is((await theirs.api.get(theirs.path)).body.edits, undefined)
})

test('nothing that may be written breaks a transcript, a name or a note, in any form in which they are read', async (t) => {
  const { api, path } = await aWriter(t)
  const odd = [...oddTexts, '1\n00:00:00,000 --> 00:00:09,000\nfalse', '</v><v Bela>', '-->', '[pause]', '\u202Egnp']
  for (const text of odd) {
    const version = (await api.get(path)).body.edits?.version ?? 0
    const cut = text.slice(0, editLimits.name)
    const changes = [
      { type: 'text', segment: 0, text: text.slice(0, editLimits.text) },
      { type: 'name', speaker: 'speaker-1', name: cut },
      ...(cut.trim() === '' ? [] : [{ type: 'note', at: 0, text: cut }]),
    ]
    const { status, body } = await api.patch(path, { json: { version, changes } })
    t.true(status === 200 || status === 400, `${JSON.stringify(cut)}: ${status} ${JSON.stringify(body)}`)
    if (status !== 200) continue
    const { body: vtt } = await api.get(`${path}?format=vtt&speakers=true`)
    t.is(vtt.match(/-->/g)?.length ?? 0, vtt.match(/^\d\d:\d\d:\d\d\.\d{3} --> \d\d:\d\d:\d\d\.\d{3}$/gm)?.length ?? 0)
    const voices = vtt.match(/<[^>]*>/g) ?? []
    t.true(
      voices.every((voice: string) => voice.startsWith('<v ')),
      vtt,
    )
    const { body: srt } = await api.get(`${path}?format=srt&speakers=true`)
    t.is(srt.match(/-->/g)?.length ?? 0, srt.match(/^\d\d:\d\d:\d\d,\d{3} --> \d\d:\d\d:\d\d,\d{3}$/gm)?.length ?? 0)
    t.false(srt.includes('<'))
  }
  t.is((await api.get(`${path}?original=true`)).body.result.text, 'my dada came home. when?')
})

test('a name of a batch is one short line, whatever is sent, and is given back as it was taken', async (t) => {
  const { api, owner } = await service.user(t)
  const { batch } = await (await service.records()).layOut(owner, [{ stage: 'completed' }])
  const path = `/transcribe/batch/${batch.batchId}`
  for (const name of [...oddTexts, 'a\nb', '\u202Egnp', '\u2028', '\uD800', '../../etc', '-->', 'ह'.repeat(200)]) {
    const { status, body } = await api.patch(path, { json: { name } })
    t.true(status === 200 || status === 400, `${JSON.stringify(name.slice(0, 50))}: ${status}`)
    if (status === 400) t.regex(name, /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]|^.{201}/su)
    else t.is(body.name ?? '', name.trim())
    t.is((await api.get(`/transcribe/status/batch/${batch.batchId}`)).status, 200)
  }
  for (const name of [null, 1, ['a'], { a: 1 }]) t.is((await api.patch(path, { json: { name } })).status, 400)
})

const long = (characters: number) => 'ह'.repeat(characters + 1)
for (const [what, json] of [
  ['no change', { version: 0, changes: [] }],
  ['no version', { changes: [{ type: 'undo' }] }],
  ['a version below all', { version: -1, changes: [{ type: 'undo' }] }],
  ['a version as text', { version: '0', changes: [{ type: 'text', segment: 0, text: 'a' }] }],
  ['half a segment', { version: 0, changes: [{ type: 'text', segment: 0.5, text: 'a' }] }],
  ['a segment of a list', { version: 0, changes: [{ type: 'text', segment: '__proto__', text: 'a' }] }],
  ['an unknown change', { version: 0, changes: [{ type: 'delete', segment: 0 }] }],
  [
    'too many changes',
    {
      version: 0,
      changes: Array.from({ length: editLimits.changes + 1 }, () => ({ type: 'text', segment: 0, text: 'a' })),
    },
  ],
  ['too long a text', { version: 0, changes: [{ type: 'text', segment: 0, text: long(editLimits.text) }] }],
  ['too long a name', { version: 0, changes: [{ type: 'name', speaker: 'speaker-1', name: long(editLimits.name) }] }],
  ['too long a note', { version: 0, changes: [{ type: 'note', at: 0, text: long(editLimits.note) }] }],
  ['an empty note', { version: 0, changes: [{ type: 'note', at: 0, text: ' \n' }] }],
  ['a note before the beginning', { version: 0, changes: [{ type: 'note', at: -1, text: 'a' }] }],
] as const)
  test(`${what} is refused, and nothing is edited`, async (t) => {
    const { api, path } = await aWriter(t)
    t.is((await api.patch(path, { json })).status, 400)
    t.is((await api.get(path)).body.edits, undefined)
  })

test('notes are bounded in number, and a crowd of edits is answered or told to come back', async (t) => {
  const { api, path } = await aWriter(t)
  let version = 0
  const add = async (count: number) => {
    const changes = Array.from({ length: count }, () => ({ type: 'note', at: 0, text: 'a' }))
    return api.patch(path, { json: { version, changes } })
  }
  for (; version < editLimits.notes / editLimits.changes; version += 1)
    t.is((await add(editLimits.changes)).status, 200)
  t.is((await add(1)).status, 400)
  const crowd = await Promise.all(
    Array.from({ length: 30 }, (_, at) => {
      const changes = [{ type: 'name', speaker: 'speaker-1', name: `name ${at}` }]
      return api.patch(path, { json: { version, changes } })
    }),
  )
  const statuses = crowd.map(({ status }) => status)
  t.is(statuses.filter((status) => status === 200).length, 1)
  t.true(
    statuses.every((status) => status === 200 || status === 409 || status === 429),
    String(statuses),
  )
  t.is(
    (await api.patch(path, { json: { version: version + 1, changes: [{ type: 'undo' }] } })).status,
    200,
    'the places were given back',
  )
})
