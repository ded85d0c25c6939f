import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import test from 'ava'

import { brokerUsersText } from '../../infra/nats-server/users-text.ts'
import { aFolder } from '../support/folder.ts'
import { natsServerForTests } from '../support/nats.ts'

const run = promisify(execFile)
const passwords = Object.fromEntries(
  ['OPERATOR', 'GATEWAY', 'WORKER', 'REALTIME'].map((user) => [`NATS_${user}_PASSWORD`, `secret-of-${user}`]),
)

test('a nats-server takes the users that are printed for it, with passwords of its environment and not without', async (t) => {
  const { path } = await natsServerForTests()
  const folder = await aFolder(t)
  const file = join(folder, 'nats-server.conf')
  await writeFile(join(folder, 'vaak-users.conf'), brokerUsersText())
  await writeFile(file, 'port: 4222\ninclude vaak-users.conf\n')
  const checked = run(path, ['-t', '-c', file], { env: passwords })
  t.regex((await checked).stderr, /configuration file .* is valid/)
  await t.throwsAsync(run(path, ['-t', '-c', file], { env: {} }), { message: /NATS_OPERATOR_PASSWORD/ })
})
