import test from 'ava'

import { readLine } from '../../infra/nats-server/child.ts'
import { archivesIn, errorsIn, fractionOf } from '../../infra/nats-server/fetch-debian.ts'
import { newAddress, settingsText } from '../../infra/nats-server/settings.ts'
import { isRecentEnough, parseVersion } from '../../infra/nats-server/version.ts'

test('a version is read from what the program says, and from nothing else', (t) => {
  t.is(parseVersion('nats-server: v2.15.1\n'), '2.15.1')
  t.is(parseVersion('nats-server: v2.12.0-RC.1'), '2.12.0-RC.1')
  t.is(parseVersion('gnatsd: v2.15.1'), undefined)
  t.is(parseVersion(''), undefined)
})

test('2.11 is too old and 2.12 is not', (t) => {
  for (const old of ['1.4.1', '2.9.10', '2.10.29', '2.11.15']) t.false(isRecentEnough(old), old)
  for (const recent of ['2.12.0', '2.12.4-RC.1', '2.15.1', '3.0.0']) t.true(isRecentEnough(recent), recent)
})

test('the archives are those of component main, each once, without security archives and discs', (t) => {
  const said = [
    'main bookworm http://archive/debian/',
    'main bookworm-updates http://archive/debian/',
    'contrib bookworm http://other/debian/',
    'main bookworm cdrom:[Debian 12]/',
    'main bookworm-security http://archive/debian-security/',
    'main bullseye/updates http://archive/debian-security/',
    'main bookworm http://mirror/debian/',
    '',
  ].join('\n')
  t.deepEqual(archivesIn(said), ['http://archive/debian/', 'http://mirror/debian/'])
})

test('of what apt says, its errors are quoted', (t) => {
  t.is(errorsIn('W: a warning\nE: not signed.\nE: no more.'), 'not signed. no more.')
  t.is(errorsIn('apt-get could not be run'), 'apt-get could not be run')
})

test('progress is read from the status lines of apt', (t) => {
  t.is(fractionOf('dlstatus:3:14.5:Retrieving file 3 of 3'), 0.145)
  t.is(fractionOf('pmstatus:dpkg:50:Installing'), undefined)
  t.is(fractionOf(''), undefined)
})

test('the settings keep to the loopback, sync every write and let nobody in without the secret', (t) => {
  const address = newAddress(21_000)
  const settings: unknown = JSON.parse(settingsText('/data/with "quotes"', address))
  t.like(settings, {
    host: '127.0.0.1',
    port: 21_000,
    authorization: { timeout: 15 },
    max_payload: 1_048_576,
    jetstream: { store_dir: '/data/with "quotes"', sync_interval: 'always' },
  })
  t.not(newAddress(21_000).pass, address.pass)
})

test('every role is a user of its own, with a password of its own, and only the operator may do everything', (t) => {
  const address = newAddress(21_000)
  const { users } = JSON.parse(settingsText('/data', address)).authorization
  const names = users.map(({ user }: { user: string }) => user)
  t.deepEqual(names, ['operator', 'gateway', 'worker', 'realtime'])
  t.is(new Set(users.map(({ password }: { password: string }) => password)).size, users.length)
  for (const { user, permissions } of users) t.is(permissions === undefined, user === 'operator')
  for (const { publish, subscribe } of users.slice(1).map((one: { permissions: object }) => one.permissions)) {
    const wide = [...publish.allow, ...subscribe.allow].filter((subject: string) =>
      /^(?:\$JS\.API\.)?[>*]/.test(subject),
    )
    t.deepEqual(wide, [])
  }
})

test('what the server says keeps its gravity', (t) => {
  const said = (mark: string) => readLine(`[7] 2026/01/01 00:00:00.000000 [${mark}] words`)
  t.deepEqual(said('INF'), { level: 'debug', text: 'words' })
  t.deepEqual(said('WRN'), { level: 'warn', text: 'words' })
  t.deepEqual(said('FTL'), { level: 'error', text: 'words' })
  t.deepEqual(readLine('panic: oh'), { level: 'error', text: 'panic: oh' })
})

test('what the store may take is told to the server, and left to it when nothing is said', (t) => {
  const storeOf = (...given: Parameters<typeof settingsText>): unknown => JSON.parse(settingsText(...given)).jetstream
  t.like(storeOf('/data', newAddress(4222), { maxFileStoreBytes: 1024 }), { max_file_store: 1024 })
  t.false(settingsText('/data', newAddress(4222), { maxFileStoreBytes: 0 }).includes('max_file_store'))
})
