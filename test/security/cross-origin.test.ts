import test from 'ava'
import type { ExecutionContext } from 'ava'

import { terminal } from '../../actors/failure.ts'
import { createApp } from '../../gateway/app.ts'
import { withDocs } from '../../gateway/docs/routes.ts'
import { healthRoutes } from '../../gateway/health.ts'
import { keyRoutes } from '../../gateway/keys/routes.ts'
import { serveGateway } from '../../gateway/server.ts'
import { silentLog } from '../support/silent-log.ts'

const ours = 'https://app.example'
const unused = (): Promise<never> => Promise.reject(new Error('unused'))

/** Nobody is let in: what matters is what a browser may tell the page about it. */
async function aServer(t: ExecutionContext, origins: readonly string[]): Promise<string> {
  const app = createApp({
    routes: withDocs([
      ...keyRoutes({ make: unused, list: unused, revoke: unused } as never), // as: nobody comes so far
      ...healthRoutes(unused),
    ]),
    authenticate: () => Promise.reject(terminal('unauthenticated', 'Nobody is let in.')),
    origins,
    observe: () => undefined,
    log: silentLog,
  })
  const server = await serveGateway(app, { host: '127.0.0.1', port: 0 })
  t.teardown(() => server.close(0))
  return `http://127.0.0.1:${server.port}`
}

function preflight(url: string, origin: string, headers = 'authorization,content-type'): Promise<Response> {
  const asked = { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': headers }
  return fetch(`${url}/v1/keys`, { method: 'OPTIONS', headers: { Origin: origin, ...asked } })
}

const names = (headers: Headers): string[] => [...headers.keys()].filter((name) => name.startsWith('access-control-'))

test('a page of an origin in the settings may ask, and may read refusals too', async (t) => {
  const url = await aServer(t, ['https://other.example', ours])
  const allowed = await preflight(url, ours, 'authorization,content-type,x-stainless-os')
  t.is(allowed.status, 204)
  t.is(allowed.headers.get('access-control-allow-origin'), ours)
  t.is(allowed.headers.get('access-control-allow-headers'), 'authorization,content-type,x-stainless-os')
  t.regex(allowed.headers.get('access-control-allow-methods') ?? '', /POST/)
  const refused = await fetch(`${url}/v1/keys`, { headers: { Origin: ours } })
  t.is(refused.status, 401)
  t.is(refused.headers.get('access-control-allow-origin'), ours)
  t.is(refused.headers.get('vary'), 'Origin')
  t.is(refused.headers.get('x-content-type-options'), 'nosniff')
})

test('pages of any other origin are told nothing, however alike it looks', async (t) => {
  const url = await aServer(t, [ours])
  for (const origin of ['https://evil.example', `${ours}.evil.example`, 'http://app.example', `${ours}:8443`, 'null']) {
    t.deepEqual(names((await preflight(url, origin)).headers), [])
    t.deepEqual(names((await fetch(`${url}/healthz`, { headers: { Origin: origin } })).headers), [])
  }
})

test('without the setting nothing is said about origins at all', async (t) => {
  const url = await aServer(t, [])
  const { headers } = await fetch(`${url}/healthz`, { headers: { Origin: ours } })
  t.deepEqual(names(headers), [])
  t.is(headers.get('vary'), null)
})

test('a star lets every page ask, and none with cookies', async (t) => {
  const url = await aServer(t, ['*'])
  for (const { headers } of [
    await preflight(url, ours),
    await fetch(`${url}/healthz`, { headers: { Origin: ours } }),
  ]) {
    t.is(headers.get('access-control-allow-origin'), '*')
    t.is(headers.get('access-control-allow-credentials'), null)
  }
})

test('what is no name of a header is not told back', async (t) => {
  const url = await aServer(t, [ours])
  for (const asked of ['*', 'a b', 'x;y', 'x'.repeat(100), Array.from({ length: 40 }, (_, at) => `x-${at}`).join(',')])
    t.is((await preflight(url, ours, asked)).headers.get('access-control-allow-headers'), null)
})
