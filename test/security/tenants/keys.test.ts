import test from 'ava'
import type { ExecutionContext } from 'ava'

import { keyScopes } from '../../../actors/identity.ts'
import type { KeyScope } from '../../../actors/identity.ts'
import { freePort } from '../../../infra/process/free-port.ts'
import type { Api } from '../../support/api.ts'
import { aGateway } from '../../support/gateway.ts'
import { sharedService } from '../../support/service.ts'

// so that nothing is fetched where voices are asked for
const service = sharedService(test, { TTS_ENGINE: 'light' })
const ownScopes = keyScopes.filter((scope) => scope !== 'admin')

interface Operation {
  readonly method: string
  readonly path: string
  readonly scope: KeyScope
}

async function closedOperations(api: Api): Promise<Operation[]> {
  const paths: Record<string, Record<string, { security: { bearer?: KeyScope[] }[] }>> = (
    await api.get('/openapi.json')
  ).body.paths
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security }]) =>
      // what share links open, no key does
      security.flatMap(({ bearer }) => (bearer ? [{ method: method.toUpperCase(), path, scope: bearer[0]! }] : [])),
    ),
  )
}

async function aKey(api: Api, wanted: object): Promise<string> {
  return (await api.post('/v1/keys', { json: wanted })).body.key
}

async function statusOf(t: ExecutionContext, { method, path }: Operation, key: string): Promise<number> {
  const answer = await fetch(`${service.url}${path.replaceAll(/\{\w+\}/g, 'none')}`, {
    method,
    headers: { Authorization: `Bearer ${key}` },
  })
  t.teardown(() => answer.body?.cancel())
  return answer.status
}

for (const own of ownScopes)
  test(`a key for ${own} is refused at every route that is for something else, before anything else is looked at`, async (t) => {
    const { api } = await service.user(t)
    const operations = await closedOperations(api)
    t.deepEqual([...new Set(operations.map(({ scope }) => scope))].sort(), [...ownScopes].sort())
    const key = await aKey(api, { scopes: [own] })
    for (const operation of operations)
      t.is(
        (await statusOf(t, operation, key)) === 403,
        operation.scope !== own,
        `${operation.method} ${operation.path}`,
      )
  })

test('a key that sees to keys makes none that can do more than itself', async (t) => {
  const { api } = await service.user(t)
  const key = api.as(await aKey(api, { scopes: ['keys', 'files'], days: 2 }))
  t.is((await key.post('/v1/keys', { json: { scopes: ['files', 'transcribe'] } })).status, 403)
  t.is((await key.post('/v1/keys', { json: { scopes: ['keys'] } })).status, 403)
  t.is((await key.post('/v1/keys', { json: { scopes: ['admin'] } })).status, 400)
  const made = await key.post('/v1/keys', { json: { days: 3650 } })
  t.deepEqual(made.body.scopes, ['files'])
  const [parent] = (await api.get('/v1/keys')).body.keys
  t.is(made.body.expires_at, parent.expires_at)
  t.is((await api.delete(`/v1/keys/${parent.id}`)).status, 200)
  t.is((await key.as(made.body.key).get('/files')).status, 401)
})

test('whoever asks for sixty keys at once gets fifty', async (t) => {
  const { api } = await service.user(t)
  const answers = await Promise.all(Array.from({ length: 60 }, () => api.post('/v1/keys', { json: {} })))
  t.is(answers.filter(({ status }) => status === 201).length, 50)
  t.is((await api.get('/v1/keys')).body.keys.length, 50)
})

test('a key is rotated: the new one works at once, the old one for as long as was said, and nobody rotates another’s', async (t) => {
  const [{ api }, stranger] = [await service.user(t), await service.user(t)]
  const old = (await api.post('/v1/keys', { json: { label: 'app' } })).body
  t.truthy(old.expires_at)
  t.is((await stranger.api.post(`/v1/keys/${old.id}/rotate`)).status, 404)
  const made = await api.post(`/v1/keys/${old.id}/rotate?overlap_hours=0`)
  t.is(made.status, 200)
  t.is((await api.as(made.body.key).get('/files')).status, 200)
  t.is((await api.as(old.key).get('/files')).status, 401)
  t.is((await api.post(`/v1/keys/${made.body.id}/rotate`)).status, 200)
  t.is((await api.as(made.body.key).get('/files')).status, 200)
  t.is((await api.post(`/v1/keys/${made.body.id}/rotate`)).status, 409)
})

test('who is not known is counted by what was shown', async (t) => {
  const port = await freePort()
  const { api } = await aGateway(t, service.nats, { environment: { METRICS_PORT: String(port) } })
  for (const wrong of [undefined, 'vaak_wrong', 'vaak_wrong', 'ek_wrong', 'a.b.c']) await api.as(wrong).get('/files')
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  for (const [kind, times] of Object.entries({ none: 1, api_key: 2, session_secret: 1, token: 1 }))
    t.true(metrics.includes(`vaak_callers_refused_total{credential="${kind}"} ${times}\n`), kind)
})
