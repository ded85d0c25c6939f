import { existsSync } from 'node:fs'

import test from 'ava'

import { fileFolder, ownerVocabulariesFolder } from '../../actors/ids.ts'
import { begunRecordingKey, endedRecordingKey, recordingFolder } from '../../actors/session-recording/keys.ts'
import { markName } from '../../infra/blobs/identity.ts'
import { settings } from '../../infra/config/settings.ts'
import { newIds } from '../../infra/ids/new-ids.ts'
import { allocationEnvironment } from '../../infra/process/memory-allocation.ts'
import { brokerUsersText } from '../../infra/nats-server/users-text.ts'
import { brokerRoles } from '../../infra/nats/topology/roles.ts'
import { systemClock } from '../../infra/timing/clock.ts'
import { inCheckout } from '../support/checkout.ts'
import { composeServices, deployFile, drainSeconds, requiredVariables } from '../support/deploy-files.ts'
import { ownerOf } from '../support/service.ts'

const variables = new Set<string>(Object.values(settings).map(({ variable }) => variable))
const composeText = await deployFile('compose/compose.yaml')
const filled = Object.fromEntries(requiredVariables(composeText).map((name) => [name, `value-of-${name}`]))
const services = await composeServices(filled)

/** Instructions with their words, lines that go on put together. */
const dockerfile = (await deployFile('image/Dockerfile'))
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter(Boolean)
  .map((line) => line.split(/\s+/))

test('the users of a broker of one’s own may do what the code says', async (t) => {
  t.is(await deployFile('nats/users.conf'), brokerUsersText(), 'run: npm run permissions')
})

test('every variable that compose.yaml asks for is in the example of an .env', async (t) => {
  const example = await deployFile('compose/.env.example')
  t.true(Object.keys(filled).length > 5)
  for (const name of Object.keys(filled)) t.regex(example, new RegExp(`^${name}=`, 'm'))
})

test('in compose.yaml every role is told settings that there are, and no secret that it does not need', (t) => {
  for (const role of brokerRoles) {
    const { environment = {}, command } = services[role]!
    t.deepEqual(command, [role])
    t.like(environment, { NATS_USER: role, NATS_INBOX_PREFIX: `_INBOX_${role}` })
    for (const name of Object.keys(environment)) t.true(variables.has(name), `${role}: ${name}`)
    const passwords = Object.values(environment).filter((value) => /NATS_\w+_PASSWORD/.test(value))
    t.deepEqual(passwords, [`value-of-NATS_${role.toUpperCase()}_PASSWORD`])
    t.is('KEY_SECRET' in environment, role !== 'worker', role)
    const keys = role === 'realtime' ? 'STORAGE_REALTIME' : 'STORAGE'
    t.like(environment, {
      STORAGE_URL: services['gateway']!.environment!['STORAGE_URL'],
      STORAGE_ACCESS_KEY_ID: `value-of-${keys}_ACCESS_KEY_ID`,
      STORAGE_SECRET_ACCESS_KEY: `value-of-${keys}_SECRET_ACCESS_KEY`,
    })
    t.true(services[role]!.networks!.includes('storage'), role)
  }
})

test('the keys of realtime servers open what they record to, the words of users and the mark, and nothing else', async (t) => {
  const { Statement: statements } = JSON.parse(await deployFile('compose/realtime-storage.json')) as {
    Statement: { Action: string[]; Resource: string[]; Condition?: { StringLike: Record<string, string[]> } }[]
  } // as: what is read of it is compared
  const ref = { owner: ownerOf('asha'), fileId: newIds(systemClock).nextFileId() }
  const written = [begunRecordingKey(ref), endedRecordingKey(ref), recordingFolder(ref)]
  const readOnly = [markName, ownerVocabulariesFolder(ref.owner)]
  const may = (action: string, key: string): boolean =>
    statements.some(({ Action, Resource }) => Action.includes(action) && Resource.some((one) => matches(one, key)))
  for (const key of written) t.true(may('s3:PutObject', key), key)
  for (const key of readOnly) t.deepEqual([may('s3:GetObject', key), may('s3:PutObject', key)], [true, false], key)
  for (const action of ['s3:GetObject', 's3:PutObject']) t.false(may(action, fileFolder(ref)))
  const listed = statements.find(({ Action }) => Action.includes('s3:ListBucket'))!.Condition!.StringLike['s3:prefix']
  t.true(listed!.every((one) => one.endsWith('/*')))
})

/** Whether a resource of such a policy is an object of the bucket. */
function matches(resource: string, key: string): boolean {
  const [path = '', all] = resource.replace('arn:aws:s3:::vaak/', '').split('*')
  return all === undefined ? key === path : key.startsWith(path)
}

test('in compose.yaml roles write to volumes only, have no rights, and are given the time to drain', (t) => {
  for (const role of brokerRoles) {
    t.like(services[role], { read_only: true, cap_drop: ['ALL'] })
    t.true(Number.parseInt(services[role]!.stop_grace_period ?? '', 10) > drainSeconds, role)
    t.true('migrate' in services[role]!.depends_on!, `${role} finds its streams`)
  }
  t.deepEqual(services['nats']!.networks, ['broker'])
})

test('every file that the image is made of is in the checkout, and is let into the build', async (t) => {
  const ignore = await deployFile('image/Dockerfile.dockerignore')
  const sources = dockerfile.flatMap(([instruction, ...words]) =>
    instruction === 'COPY' && !words[0]!.startsWith('--') ? words.slice(0, -1) : [],
  )
  t.true(sources.includes('package-lock.json'))
  for (const source of sources.filter((one) => one !== '.')) {
    t.true(existsSync(inCheckout(source)), source)
    t.true(ignore.split('\n').includes(`!${source}`), source)
  }
  t.is(
    ignore.split('\n').find((line) => line !== '' && !line.startsWith('#')),
    '*',
    'nothing else comes in',
  )
})

test('the image tells its roles settings that there are, no secrets, and a port for each that is its own', (t) => {
  const [, ...told] = dockerfile.find(([instruction]) => instruction === 'ENV')!
  const values = new Map(told.map((pair) => pair.split('=') as [string, string])) // as: an equals sign is in each
  const secret = new Set<string>(
    Object.values(settings).flatMap(({ variable, ...one }) => ('secret' in one && one.secret ? variable : [])),
  )
  const forTheSystem = new Set(['PATH', ...Object.keys(allocationEnvironment)])
  for (const name of values.keys()) t.true(forTheSystem.has(name) || (variables.has(name) && !secret.has(name)), name)
  const ports = [...values].filter(([name]) => name.endsWith('PORT')).map(([, port]) => port)
  t.is(new Set(ports).size, ports.length, 'with `vaak up` all are in one container')
  const [, ...exposed] = dockerfile.find(([instruction]) => instruction === 'EXPOSE')!
  t.deepEqual(exposed.sort(), ports.sort())
  t.deepEqual(
    dockerfile.filter(([instruction]) => instruction === 'USER'),
    [['USER', '10001:10001']],
  )
})
