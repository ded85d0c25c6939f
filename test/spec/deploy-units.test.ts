import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { settings } from '../../infra/config/settings.ts'
import { ensurePackages } from '../../infra/dev/debian-packages.ts'
import { brokerRoles } from '../../infra/nats/topology/roles.ts'
import { deployFile, drainSeconds } from '../support/deploy-files.ts'
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
    const told = text.match(/(?<=^Environment=).*$/m)?.[0].match(/\w+(?==)/g) ?? []
    for (const name of told) t.true(variables.has(name) || name === 'VAAK_NATS_STORE', name)
    t.true(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1]) > drainSeconds)
  })
