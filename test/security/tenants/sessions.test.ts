import test from 'ava'

import { batchService } from '../../support/batch-service.ts'
import { eventually } from '../../support/eventually.ts'
import { gatewayEnvironment } from '../../support/gateway.ts'
import { startVaak } from '../../support/processes.ts'
import { aClient } from '../../support/realtime-server.ts'

const service = batchService(test)

test('a user has as many sessions as the limit says on all servers together, and those of one that was killed are free again', async (t) => {
  const { nats, dataDir } = service.shared
  const environment = gatewayEnvironment(nats, { dataDir })
  const [dying, living] = [0, 1].map(() =>
    startVaak(t, ['realtime'], { ...environment, REALTIME_PORT: '0', REALTIME_USER_SESSIONS: '2' }),
  )
  const [dyingUrl, livingUrl] = (await Promise.all([dying!.ready(), living!.ready()])).map((url) =>
    url.replace('http', 'ws'),
  )
  const [hostile, good] = [await service.user(t), await service.user(t)]
  const isLetIn = async (url: string, { token }: { readonly token: string }): Promise<boolean> => {
    const client = aClient(t, url, { key: token })
    const created = client.next('session.created').then(
      () => true,
      () => false,
    )
    return Promise.race([created, client.closed.then(() => false)])
  }
  t.true(await isLetIn(dyingUrl!, hostile))
  t.true(await isLetIn(dyingUrl!, hostile))
  const refused = aClient(t, livingUrl!, { key: hostile.token })
  t.is((await refused.closed).code, 1008)
  t.is(refused.events.at(-1).error.code, 'rate_limit_exceeded')
  t.true(await isLetIn(livingUrl!, good))
  await dying!.kill9()
  for (const place of ['one', 'the other'])
    await eventually(`${place} of its places is free`, () => isLetIn(livingUrl!, hostile))
  t.false(await isLetIn(livingUrl!, hostile))
})
