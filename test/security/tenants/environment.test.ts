import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { freePort } from '../../../infra/process/free-port.ts'
import { aFolder } from '../../support/folder.ts'
import { descendantsOf } from '../../support/process-tree.ts'
import { startVaak } from '../../support/processes.ts'
import { testWhere } from '../../support/test-where.ts'

const testOnLinux = await testWhere('environments that the kernel shows', async () =>
  readFileSync('/proc/self/environ'),
)

const program = fileURLToPath(new URL('../../support/taken-environment.js', import.meta.url))

testOnLinux('a secret leaves the environment of a process that has read it', (t) => {
  const environment = { NATS_PASSWORD: 'of the broker', AWS_SECRET_ACCESS_KEY: 'of the storage', PORT: '', ü: 'é=1' }
  const said = execFileSync(process.execPath, [program], { env: environment, encoding: 'utf8' })
  const { taken, left, inherited, shown } = JSON.parse(said)
  const { NATS_PASSWORD: _own, ...others } = environment
  t.deepEqual(taken, environment)
  t.deepEqual(left, others, 'what libraries look for is still there for them')
  t.notRegex(inherited, /of the broker/)
  t.is(shown, '')
})

testOnLinux('no process of a server that is up shows what it was set by', async (t) => {
  const service = startVaak(t, ['up'], {
    LOG_LEVEL: 'warn',
    DATA_DIR: await aFolder(t),
    PORT: String(await freePort()),
    REALTIME_PORT: '0',
    METRICS_PORT: '0',
    RECOGNISER: 'scripted',
    TTS_ENGINE: 'light',
    WEBHOOK_SECRET: 'for the signatures',
  })
  await service.ready()
  const pids = [service.pid, ...descendantsOf(service.pid).map(({ pid }) => pid)]
  t.true(pids.length > 4, 'itself, the broker and three roles')
  for (const pid of pids)
    t.notRegex(readFileSync(`/proc/${pid}/environ`, 'latin1'), /for the signatures|PASSWORD|DATA_DIR/)
})
