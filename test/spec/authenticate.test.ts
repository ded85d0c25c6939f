import { createServer, request } from 'node:http'
import { inspect } from 'node:util'

import test from 'ava'
import type { ExecutionContext } from 'ava'
import Koa from 'koa'

import { FailureError, away, terminal } from '../../actors/failure.ts'
import { authenticator, challengeFor } from '../../gateway/auth/authenticate.ts'
import { principalOf } from '../../infra/identity/principal.ts'
import type { Identify } from '../../actors/identity.ts'

interface Answer {
  readonly status: number
  readonly challenge: string | undefined
  readonly text: string
}

const asha = principalOf('issuer', 'asha')
const acceptGood: Identify = async (token) => {
  if (token === 'good.token') return { principal: asha }
  throw terminal('unauthenticated', 'The token is bad.')
}

/** A gateway of one route, on a real port, that keeps what its handlers and its error handling saw. */
async function aGateway(t: ExecutionContext, verify: Identify = acceptGood) {
  const seen = { owners: [] as string[], errors: [] as unknown[] }
  const app = new Koa()
  app.use(async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      if (!(error instanceof FailureError)) throw error
      seen.errors.push(error)
      ctx.status = error.failure.code === 'unauthenticated' ? 401 : 503
      if (ctx.status === 401) ctx.set('WWW-Authenticate', challengeFor(ctx.req))
      ctx.body = error.failure.detail
    }
  })
  app.use(async (ctx) => {
    seen.owners.push((await authenticator(verify)(ctx.req)).principal.owner)
    ctx.body = 'hello'
  })
  const handle = app.callback()
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')

  const get = (...authorizations: string[]): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = ['host', 'localhost', ...authorizations.flatMap((value) => ['Authorization', value])]
      request({ port: address.port, host: '127.0.0.1', headers, agent: false }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => (text += part))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, challenge: response.headers['www-authenticate'], text }),
        )
      })
        .on('error', reject)
        .end()
    })
  return { get, seen }
}

test('a good token lets the request through with its principal', async (t) => {
  const { get, seen } = await aGateway(t)
  t.is((await get('Bearer good.token')).status, 200)
  t.deepEqual(seen.owners, [asha.owner])
})

test('the scheme is read in any case, and spaces after it do not count', async (t) => {
  const { get } = await aGateway(t)
  for (const value of ['bearer good.token', 'BEARER good.token', 'bEaReR   good.token', ' Bearer good.token '])
    t.is((await get(value)).status, 200, value)
})

test('a request without a token is told to send one, and no handler runs', async (t) => {
  const { get, seen } = await aGateway(t)
  t.deepEqual(await get(), {
    status: 401,
    challenge: 'Bearer',
    text: 'This request needs a token. Send the header Authorization: Bearer <token>.',
  })
  t.deepEqual(seen.owners, [])
})

test('a bad token is answered with the challenge invalid_token', async (t) => {
  const { get } = await aGateway(t)
  t.deepEqual(await get('Bearer bad.token'), {
    status: 401,
    challenge: 'Bearer error="invalid_token"',
    text: 'The token is bad.',
  })
})

test('two Authorization headers are refused, even when both or the first are good', async (t) => {
  const { get, seen } = await aGateway(t)
  for (const second of ['Bearer good.token', 'Bearer bad.token', 'Basic eDp5'])
    t.like(await get('Bearer good.token', second), {
      status: 401,
      text: 'This request has more than one Authorization header. Send exactly one.',
    })
  t.deepEqual(seen.owners, [])
})

test('anything but one bearer token in the header is refused', async (t) => {
  const { get, seen } = await aGateway(t)
  for (const value of [
    '',
    'Bearer',
    'Bearer good.token, Bearer good.token',
    'Bearer good.token x',
    'Bearer "good.token"',
    'Bearer\tgood.token',
    'Bearergood.token',
    'Basic good.token',
    'good.token',
    'Bearer गुड',
  ].map((text) => Buffer.from(text).toString('latin1')))
    t.like(
      await get(value),
      { status: 401, text: 'The Authorization header is not of the form Bearer <token>.' },
      value,
    )
  t.deepEqual(seen.owners, [])
})

test('a caller with another scheme is asked for a bearer token, not told that theirs is invalid', async (t) => {
  const { get } = await aGateway(t)
  t.is((await get('Basic eDp5')).challenge, 'Bearer')
})

test('when keys cannot be fetched, nobody is told that their token is wrong', async (t) => {
  const { get } = await aGateway(t, async () => {
    throw away('identity_unavailable', 'The keys cannot be fetched.')
  })
  t.like(await get('Bearer good.token'), { status: 503, challenge: undefined })
})

test('what a refused request throws, and may be logged, does not hold what its header held', async (t) => {
  const { get, seen } = await aGateway(t)
  const values = ['Bearer top-secret', 'Basic top-secret', 'top-secret', 'Bearer top-secret top-secret']
  for (const value of values) await get(value)
  await get('Bearer top-secret', 'Bearer top-secret')
  t.is(seen.errors.length, values.length + 1)
  t.notRegex(inspect(seen.errors, { depth: 20, showHidden: true }), /top-secret/)
})
