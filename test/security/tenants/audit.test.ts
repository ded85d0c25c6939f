import test from 'ava'
import type { ExecutionContext } from 'ava'

import { away } from '../../../actors/failure.ts'
import type { Owner } from '../../../actors/ids.ts'
import { auditText, readAuditText } from '../../../infra/nats/audit/form.ts'
import { openAudit } from '../../../infra/nats/audit/write.ts'
import { uploadForm } from '../../support/api.ts'
import { gatewayEnvironment } from '../../support/gateway.ts'
import { aLog } from '../../support/log.ts'
import { aManualClock } from '../../support/manual-clock.ts'
import { aWav } from '../../support/media.ts'
import { runVaak } from '../../support/processes.ts'
import { sharedService } from '../../support/service.ts'

const service = sharedService(test)

async function auditOf(t: ExecutionContext, ...words: readonly string[]) {
  const { nats, dataDir } = service
  const { code, stdout, stderr } = await runVaak(t, ['audit', ...words], gatewayEnvironment(nats, { dataDir }))
  t.is(code, 0, stderr)
  return stdout.split('\n').filter(Boolean)
}

test('who did what, to which object, from where and how it ended is written down, and no content', async (t) => {
  const [{ name, owner, api }, stranger] = [await service.user(t), await service.user(t)]
  const { body } = await api.post('/files/upload', {
    body: uploadForm({ name: 'very-private-name.wav', content: aWav({ seconds: 0.05 }) }),
  })
  const fileId = body.files[0].file_id
  const made = (await api.post('/v1/keys', { json: { label: 'very private label', scopes: ['transcribe'] } })).body
  t.is((await api.as(made.key).get('/files')).status, 403)
  t.is((await stranger.api.delete('/files', { json: { file_ids: [fileId] } })).status, 404)
  await api.get('/files')
  await api.delete(`/v1/keys/${made.id}`)

  const lines = await auditOf(t, '--user', name, '--since', '1h', '--json')
  const events = lines.map((line) => JSON.parse(line))
  t.deepEqual(
    events.map(({ what, status }) => `${what} ${status}`),
    ['uploadFiles 202', 'makeApiKey 201', 'listFiles 403', 'revokeApiKey 200'],
  )
  for (const event of events) t.like(event, { who: owner, from: '127.0.0.1' })
  t.deepEqual(events[0].objects, [body.batch_upload_id])
  t.deepEqual(events[1].objects, [made.id])
  t.deepEqual(events[3].objects, [made.id])
  t.notRegex(lines.join(), /private|vaak_[0-9a-f]/)
  const [theirs] = await auditOf(t, '--user', stranger.name)
  t.true(theirs!.endsWith(`  404  deleteFiles  ${stranger.owner}  127.0.0.1  ${fileId}`), theirs)
})

test('who is not known is written down too, without what was shown, and what the command does to keys', async (t) => {
  const { api } = await service.user(t)
  await api.as('vaak_0000_very-secret').get('/files')
  const made = await runVaak(t, ['keys', 'create', '--user', 'asha'], gatewayEnvironment(service.nats, service))
  const id = made.stdout.split('_')[1]!
  const all = await auditOf(t)
  t.true(all.some((line) => line.endsWith('  401  listFiles  nobody  127.0.0.1  -')))
  t.true(all.some((line) => line.endsWith(`  200  keys create  operator  -  ${id}`)))
  t.notRegex(all.join(), /secret/)
})

test('nothing that a client made up is stored: what is no id, address or word of ours is a question mark', (t) => {
  const hostile = '\u001B[31m\r\n{"who":"admin"}\u2028\u202E'
  const text = auditText({
    who: hostile as Owner, // as: the form must not rest on the type
    keyId: hostile,
    what: hostile,
    objects: [hostile, 'x'.repeat(65), ...Array.from({ length: 5_000 }, () => 'a-file')],
    from: `127.0.0.1${hostile}`,
    status: 200,
    requestId: hostile,
  })
  t.regex(text, /^[\x20-\x7E]{1,1000}$/)
  t.like(readAuditText(JSON.parse(text)), { who: '?', keyId: '?', what: '?', from: '', requestId: '?', more: 4_982 })
})

test('an event that cannot be stored is in the log, whole, and counted; the request goes on', async (t) => {
  const log = aLog()
  let lost = 0
  const js = { publish: () => Promise.reject(away('broker_unavailable', 'It is away.')) } as never // as: nothing else is asked
  const audit = openAudit({ client: { js, isAway: () => true }, clock: aManualClock(), log, lost: () => (lost += 1) })
  await audit({ who: 'operator', what: 'deleteFiles', objects: ['a-file'], from: '192.0.2.1', status: 200 })
  t.is(lost, 1)
  t.like(log.lines[0], {
    level: 'error',
    message: 'audit event not stored',
    facts: { who: 'operator', what: 'deleteFiles', objects: ['a-file'], status: 200, 'pii.from': '192.0.2.1' },
  })
})

test('a stranger who is refused again and again does not fill the log of what others did', async (t) => {
  let stored = 0
  const js = { publish: () => Promise.resolve((stored += 1)) } as never // as: nothing else is asked
  const clock = aManualClock()
  const audit = openAudit({ client: { js }, clock, log: aLog() })
  const refused = { who: 'nobody', what: 'listFiles', objects: [], from: '', status: 401 } as const
  for (let times = 0; times < 1_000; times += 1) await audit(refused)
  t.is(stored, 100)
  clock.advance(2_000)
  for (let times = 0; times < 10; times += 1) await audit(refused)
  t.is(stored, 102)
})

test('what was written down cannot be taken out', async (t) => {
  const connection = await service.nats.connect('eraser')
  t.teardown(() => connection.close())
  const answer = async (api: string, body: object) =>
    (await connection.request(`$JS.API.STREAM.${api}.vaak_audit`, JSON.stringify(body))).json<{ error?: object }>()
  t.truthy((await answer('PURGE', {})).error)
  t.truthy((await answer('MSG.DELETE', { seq: 1 })).error)
})

test('vaak audit says what --since takes', async (t) => {
  const { code, stderr } = await runVaak(t, ['audit', '--since', 'yesterday'])
  t.is(code, 2)
  t.regex(stderr, /^--since takes a time such as/)
})
