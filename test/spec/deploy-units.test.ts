import { execFile } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import test from 'ava'

import { settings } from '../../infra/config/settings.ts'
import { ensurePackages } from '../../infra/dev/debian-packages.ts'
import { brokerRoles } from '../../infra/nats/topology/roles.ts'
import { allocationEnvironment } from '../../infra/process/memory-allocation.ts'
import { inCheckout } from '../support/checkout.ts'
import { deployFile, drainSeconds } from '../support/deploy-files.ts'
import { readPage } from '../support/documents.ts'
import { aFolder } from '../support/folder.ts'
import { testWhere } from '../support/test-where.ts'

const run = promisify(execFile)
const variables = new Set<string>(Object.values(settings).map(({ variable }) => variable))
const systemd = { name: 'systemd', packages: ['systemd'], programs: ['systemd-analyze'] }
const withSystemd = await testWhere('units of systemd', () => ensurePackages(systemd))
/** Of ten; half of what a unit without any of it has. */
const exposureMax = 3.5

for (const [file, instances] of [
  ['vaak-broker.service', ['vaak-broker.service']],
  ['vaak@.service', brokerRoles.map((role) => `vaak@${role}.service`)],
] as const)
  withSystemd(`systemd understands ${file}, and little of the machine is open to it`, async (t) => {
    const [text, folder] = [await deployFile(`systemd/${file}`), await aFolder(t)]
    for (const instance of instances) {
      const path = join(folder, instance)
      // what it runs need not be on the machine that tests
      await writeFile(path, text.replace(/(?<=^ExecStart=)\S+/m, '/bin/true'))
      const { stderr } = await run('systemd-analyze', ['verify', path])
      t.is(stderr, '', instance)
    }
    const words = ['security', '--offline=true', `--threshold=${exposureMax * 10}`, join(folder, instances[0])]
    await t.notThrowsAsync(run('systemd-analyze', words))
    const told = text.match(/(?<=^Environment=).*$/gm)?.flatMap((line) => line.match(/\w+(?==)/g) ?? []) ?? []
    for (const name of told)
      t.true(variables.has(name) || name in allocationEnvironment || name === 'VAAK_NATS_STORE', name)
    t.true(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1]) > drainSeconds)
  })

test('the image and the units have freed memory given back as "vaak up" does', async (t) => {
  for (const file of ['image/Dockerfile', 'systemd/vaak@.service'])
    for (const [name, value] of Object.entries(allocationEnvironment))
      t.true((await deployFile(file)).includes(`${name}=${value}`), `${file}: ${name}`)
})

/** What the lines ask of a machine that they are not to change; the rest is done as it stands. */
const instead = `
useradd() { :; }
openssl() { printf '%04x' $RANDOM $RANDOM; }
systemctl() { echo "systemctl $*"; }
vaak() { echo "vaak $* as $NATS_USER with $NATS_PASSWORD at $NATS_URL"; }
`

test('the lines of the guide for systemd make the files that the units read, and begin in the right order', async (t) => {
  const { text } = await readPage('infra/docs/deploying.md')
  const [, lines = ''] = /^## With systemd$[\s\S]*?^```sh\n([\s\S]*?)^```$/m.exec(text) ?? []
  const folder = await aFolder(t)
  const moved = lines.replaceAll('/etc/vaak', folder).replaceAll('/etc/systemd/system', folder)
  const { stdout } = await run('bash', ['-eu', '-c', instead + moved], { cwd: inCheckout() })

  const files = ['broker', 'vaak', ...brokerRoles].map((name) => `${name}.env`)
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))
  const [broker = new Map(), common = new Map(), ...roles] = texts.map(variablesIn)
  t.deepEqual(stdout.trim().split('\n'), [
    'systemctl daemon-reload',
    'systemctl enable --now vaak-broker',
    `vaak migrate --yes as operator with ${broker.get('NATS_OPERATOR_PASSWORD')} at ${common.get('NATS_URL')}`,
    `systemctl enable --now ${brokerRoles.map((role) => `vaak@${role}`).join(' ')}`,
  ])
  for (const [index, role] of brokerRoles.entries()) {
    t.is(roles[index]?.get('NATS_PASSWORD'), broker.get(`NATS_${role.toUpperCase()}_PASSWORD`), role)
    t.is(roles[index]?.has('KEY_SECRET'), role !== 'worker', role)
  }
  t.is(new Set(broker.values()).size, brokerRoles.length + 1)
  for (const name of common.keys()) t.true(variables.has(name), name)
  for (const name of files) t.is((await stat(join(folder, name))).mode & 0o077, 0, name)
  await t.notThrowsAsync(
    Promise.all(
      ['vaak-broker.service', 'vaak@.service', 'nats-server.conf', 'users.conf'].map((name) =>
        stat(join(folder, name)),
      ),
    ),
  )
})

function variablesIn(text: string): ReadonlyMap<string, string> {
  return new Map(Array.from(text.matchAll(/^(\w+)=(.*)$/gm), ([, name = '', value = '']) => [name, value]))
}
