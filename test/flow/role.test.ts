import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

import test from 'ava'

import { freePort } from '../../infra/process/free-port.ts'
import { aFolder } from '../support/folder.ts'

const program = fileURLToPath(new URL('../../infra/cli/vaak.js', import.meta.url))

for (const role of ['gateway', 'worker'])
  test(`a ${role} whose parent is gone before it has begun ends, though its broker is not there`, async (t) => {
    const child = spawn(process.execPath, [program, role], {
      env: {
        PATH: process.env['PATH'],
        NATS_URL: `nats://127.0.0.1:${await freePort()}`,
        DATA_DIR: await aFolder(t),
        LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    t.teardown(() => child.kill('SIGKILL'))
    child.disconnect()
    const [code] = await once(child, 'exit')
    t.is(code, 0)
  })
