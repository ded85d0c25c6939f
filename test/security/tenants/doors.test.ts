import test from 'ava'

import { readConfig } from '../../../infra/config/config.ts'
import { openIdentity } from '../../../infra/identity/open-identity.ts'
import { freePort } from '../../../infra/process/free-port.ts'
import { aFolder } from '../../support/folder.ts'
import { aGateway } from '../../support/gateway.ts'
import { sharedService } from '../../support/service.ts'
import { silentLog } from '../../support/silent-log.ts'

const service = sharedService(test)

for (const host of ['0.0.0.0', '::', '192.0.2.1', 'vaak.example'])
  test(`the development issuer does not start where other machines reach it: ${host}`, async (t) => {
    const config = readConfig({ HOST: host, DATA_DIR: await aFolder(t) })
    // as never: who may call is settled before the broker is asked anything
    await t.throwsAsync(openIdentity(config, { client: undefined as never, log: silentLog, seesToKeys: true }), {
      message: new RegExp(`does not start when HOST is ${host.replaceAll('.', '\\.')}, .* JWKS_URL`),
    })
  })

test('metrics are answered on METRICS_HOST, and not where users come in', async (t) => {
  const port = await freePort()
  const environment = { HOST: '127.0.0.2', METRICS_PORT: String(port) }
  const gateway = await aGateway(t, service.nats, { environment })
  t.regex(gateway.url, /127\.0\.0\.2/)
  t.is((await fetch(`http://127.0.0.1:${port}/metrics`)).status, 200)
  await t.throwsAsync(fetch(`http://127.0.0.2:${port}/metrics`))
})
