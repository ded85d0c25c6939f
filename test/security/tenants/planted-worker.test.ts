import { createHash, randomBytes } from 'node:crypto'

import { AckPolicy, JetStreamApiError, jetstreamManager } from '@nats-io/jetstream'
import test from 'ava'
import type { ExecutionContext } from 'ava'
import { errors } from 'nats'
import type { NatsConnection } from 'nats'

import { startGateway } from '../../../gateway/main.ts'
import { readConfig } from '../../../infra/config/config.ts'
import type { StoredKey } from '../../../infra/identity/stored-key.ts'
import { connectNats } from '../../../infra/nats/connection/connect.ts'
import { inboxPrefixOf } from '../../../infra/nats/topology/roles.ts'
import type { BrokerRole } from '../../../infra/nats/topology/roles.ts'
import { noFaults } from '../../../infra/process/faults.ts'
import { prepareBroker } from '../../../infra/up/prepare-broker.ts'
import { eventually } from '../../support/eventually.ts'
import { aFolder } from '../../support/folder.ts'
import { asRole, clientOf, gatewayEnvironment } from '../../support/gateway.ts'
import { aNatsServer } from '../../support/nats.ts'
import type { TestNats } from '../../support/nats.ts'
import { silentLog } from '../../support/silent-log.ts'

/** What somebody writes who runs inside of a worker and wants to be the user asha. */
interface Forgery {
  readonly key: string
  readonly subject: string
  readonly record: string
}

function aForgery(): Forgery {
  const [id, secret] = [randomBytes(8).toString('hex'), randomBytes(32).toString('base64url')]
  const sha256 = createHash('sha256').update(secret).digest('base64url')
  const value: StoredKey = { issuer: 'vaak:development', user: 'asha', label: '', sha256, createdAtMs: Date.now() }
  return {
    key: `vaak_${id}_${secret}`,
    subject: `$KV.vaak_credentials.key.${id}`,
    record: JSON.stringify({ op: 'forged', v: 1, value }),
  }
}

async function connectAs(t: ExecutionContext, nats: TestNats, role: BrokerRole): Promise<NatsConnection> {
  const connection = await connectNats({
    url: nats.url,
    user: role,
    pass: nats.rolePasswords[role],
    inboxPrefix: inboxPrefixOf(role),
    name: `planted-${role}`,
    log: silentLog,
    waitOnFirstConnect: true,
  })
  t.teardown(() => connection.close())
  return connection
}

/** The broker as `vaak up` has it, a gateway in its own role and without a seal: what holds is the broker alone. */
async function aHouse(t: ExecutionContext) {
  const nats = await aNatsServer(t)
  const dataDir = await aFolder(t)
  const config = readConfig(gatewayEnvironment(nats, { dataDir, environment: asRole(nats, 'gateway') }))
  await prepareBroker(nats, { config, log: silentLog })
  const gateway = await startGateway(config, { log: silentLog, faults: noFaults })
  t.teardown(() => gateway.close())
  const { api } = await clientOf(t, { url: gateway.url, dataDir })
  const jsm = await jetstreamManager(await nats.connect())
  return {
    api,
    jsm,
    worker: await connectAs(t, nats, 'worker'),
    realtime: await connectAs(t, nats, 'realtime'),
    statusOf: async (key: string) => (await api.as(key).get('/files')).status,
    storedAt: async (subject: string): Promise<string | undefined> => {
      try {
        return (await jsm.streams.getMessage('KV_vaak_credentials', { last_by_subj: subject }))?.string()
      } catch (error) {
        if (error instanceof JetStreamApiError) return undefined
        throw error
      }
    },
  }
}

async function isRefused(
  t: ExecutionContext,
  connection: NatsConnection,
  [subject, body]: readonly [string, string],
): Promise<void> {
  const error = await t.throwsAsync(connection.request(subject, body), undefined, subject)
  t.true(error?.cause instanceof errors.PermissionViolationError, `${subject}: ${String(error)}`)
}

const runs = 'KV_vaak_runs'
const keys = 'KV_vaak_credentials'

test('a worker that writes a key, or has the broker write one, is refused', async (t) => {
  const { worker, statusOf, storedAt } = await aHouse(t)
  const { key, subject, record } = aForgery()
  const own = '$KV.vaak_runs.forged'
  await worker.request(own, record)
  const toKeys = { src: '$KV.vaak_runs.forged', dest: subject }
  const copied = { name: 'copy', subjects: [], sources: [{ name: runs, subject_transforms: [toKeys] }] }
  for (const attempt of [
    [subject, record],
    // answers go to any subject that the asker names: the first would store the record as it is
    [`$JS.API.DIRECT.GET.${runs}`, JSON.stringify({ last_by_subj: own })],
    [`$JS.API.DIRECT.GET.${runs}.${own}`, ''],
    ['$JS.API.STREAM.CREATE.copy', JSON.stringify(copied)],
    ['$JS.API.STREAM.CREATE.copy', JSON.stringify({ name: 'copy', mirror: { name: runs } })],
    [
      '$JS.API.STREAM.CREATE.copy',
      JSON.stringify({ name: 'copy', subjects: ['copy'], republish: { src: '>', dest: subject } }),
    ],
    [`$JS.API.STREAM.UPDATE.${runs}`, JSON.stringify({ name: runs, subjects: ['$KV.vaak_runs.>'], republish: toKeys })],
    [`$JS.API.STREAM.UPDATE.${keys}`, JSON.stringify({ name: keys, sources: copied.sources })],
    [`$JS.API.STREAM.RESTORE.${keys}`, '{}'],
    [`$JS.API.STREAM.DELETE.${keys}`, ''],
    [`$JS.API.STREAM.PURGE.${keys}`, ''],
    [`$JS.API.STREAM.MSG.DELETE.${keys}`, JSON.stringify({ seq: 1 })],
    [`$JS.API.CONSUMER.CREATE.${runs}.x.$KV.vaak_runs.>`, JSON.stringify({ config: { deliver_subject: subject } })],
    [`$JS.API.CONSUMER.DURABLE.CREATE.${runs}.x`, JSON.stringify({ config: { deliver_subject: subject } })],
  ] as const)
    await isRefused(t, worker, attempt)
  t.is(await storedAt(subject), undefined)
  t.is(await statusOf(key), 401)
})

test('a worker that leads answers and deliveries of the broker to a key makes none', async (t) => {
  const { worker, jsm, statusOf, storedAt } = await aHouse(t)
  const [read, written, pulled, pushed] = [aForgery(), aForgery(), aForgery(), aForgery()]
  const own = '$KV.vaak_runs.forged'
  await worker.request(own, read.record)
  worker.publish(`$JS.API.STREAM.MSG.GET.${runs}`, JSON.stringify({ last_by_subj: own }), { reply: read.subject })
  worker.publish(own, written.record, { reply: written.subject })
  for (const { subject } of [read, written]) {
    await eventually('the answer is stored', async () => (await storedAt(subject)) !== undefined)
    t.is(JSON.parse((await storedAt(subject))!).value, undefined)
  }

  const level = 'level-0'
  worker.publish('asr.file.due-0.forged', pulled.record)
  const next = JSON.stringify({ batch: 1, expires: 1e9 })
  worker.publish(`$JS.API.CONSUMER.MSG.NEXT.asr_file_queue.${level}`, next, { reply: pulled.subject })
  const delivered = async (consumer: string) => (await jsm.consumers.info('asr_file_queue', consumer)).delivered
  await eventually('it is delivered', async () => (await delivered(level)).consumer_seq === 1)

  const push = {
    stream_name: 'asr_file_queue',
    config: {
      name: 'push',
      deliver_subject: pushed.subject,
      filter_subject: 'asr.file.due-9.>',
      ack_policy: AckPolicy.Explicit,
    },
  }
  await worker.request('$JS.API.CONSUMER.CREATE.asr_file_queue.push.asr.file.due-9.>', JSON.stringify(push))
  await worker.request('asr.file.due-9.forged', pushed.record)
  await eventually('the consumer has seen it, and delivers it if anybody listens', async () => {
    const seen = await jsm.consumers.info('asr_file_queue', 'push')
    return seen.num_pending + seen.delivered.consumer_seq === 1
  })
  for (const { subject } of [pulled, pushed]) t.is(await storedAt(subject), undefined)
  for (const { key } of [read, written, pulled, pushed]) t.is(await statusOf(key), 401)
})

test('a worker reads neither keys nor what others are told, and writes no answers to them', async (t) => {
  const { worker } = await aHouse(t)
  for (const attempt of [
    [`$JS.API.STREAM.MSG.GET.${keys}`, JSON.stringify({ last_by_subj: '$KV.vaak_credentials.signing.sessions' })],
    [`$JS.API.STREAM.INFO.${keys}`, JSON.stringify({ subjects_filter: '>' })],
    [`$JS.API.STREAM.SNAPSHOT.${keys}`, JSON.stringify({ deliver_subject: '_INBOX_worker.x' })],
    [`$JS.API.DIRECT.GET.${keys}`, JSON.stringify({ multi_last: ['$KV.vaak_credentials.>'] })],
    [`$JS.API.CONSUMER.CREATE.${keys}.x.$KV.vaak_credentials.>`, '{}'],
    [`${inboxPrefixOf('gateway')}.forged`, '{}'],
    ['vaak.audit.operator', '{}'],
  ] as const)
    await isRefused(t, worker, attempt)
  for (const subject of ['$KV.vaak_credentials.>', '_INBOX.>', `${inboxPrefixOf('gateway')}.>`, '$JS.API.>', '>']) {
    const heard = await new Promise((resolve) => worker.subscribe(subject, { callback: (error) => resolve(error) }))
    t.true(heard instanceof errors.PermissionViolationError, subject)
  }
})

test('a realtime server notes that a key was used, and makes and ends none', async (t) => {
  const { realtime, api, storedAt, statusOf } = await aHouse(t)
  const { key, subject, record } = aForgery()
  for (const attempt of [
    [subject, record],
    [`$KV.vaak_credentials.own.x.y`, '{}'],
    [`$JS.API.STREAM.PURGE.${keys}`, ''],
    [`$JS.API.STREAM.CREATE.copy`, '{}'],
  ] as const)
    await isRefused(t, realtime, attempt)
  t.is(await storedAt(subject), undefined)
  t.is(await statusOf(key), 401)
  await realtime.request('$KV.vaak_credentials.used.0123456789abcdef', '{}')
  const made: string = (await api.post('/v1/keys', { json: {} })).body.key
  t.is(await statusOf(made), 200)
})
