import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { Log } from '../../actors/ports.ts'
import { jwksLimits, remoteKeys } from '../../infra/identity/keys.ts'
import type { RemoteKeysOptions } from '../../infra/identity/keys.ts'
import { tokenVerifier } from '../../infra/identity/token.ts'
import { eventually } from '../support/eventually.ts'
import { aJwksServer } from '../support/jwks-server.ts'
import type { JwksServer } from '../support/jwks-server.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { aSigningKey, aToken, audience, failureOf, issuer, jwksOf } from '../support/tokens.ts'

const key = await aSigningKey('first')
const nextKey = await aSigningKey('second')
// one after another: a thousand signatures in one test must not eat the timeout of another
const tokensAtOnce = 1_000
const fiftyMegabytes = 50 * 1_024 * 1_024
const blockBytes = 65_536

/** A verifier over a real endpoint that publishes `key`, with a clock that the test moves. */
async function aSetUp(t: ExecutionContext, options: Partial<RemoteKeysOptions> = {}) {
  const clock = aManualClock()
  const server = await aJwksServer(t)
  server.publish(jwksOf(key))
  const warnings: string[] = []
  const keys = remoteKeys({ url: server.url, clock, log: aLog(warnings), ...options })
  const verify = tokenVerifier({ issuer, audience, clock, keys })
  const signedBy = (by = key, header = {}) => aToken(by, clock.nowMs(), { header, claims: { exp: 9_999_999_999 } })
  return { clock, server, verify, signedBy, warnings, token: await signedBy() }
}

function aLog(warnings: string[]): Log {
  const silent = (): void => {}
  return {
    debug: silent,
    info: silent,
    warn: (message, facts) => warnings.push(`${message} ${JSON.stringify(facts)}`),
    error: silent,
  }
}

/** Accepts connections and requests, and never says a word. */
function staySilent(server: JwksServer): void {
  server.answer(() => {})
}

const unavailable = { kind: 'away', code: 'identity_unavailable' } as const

test.serial('a token is verified with the keys of the endpoint, fetched once for many', async (t) => {
  const { server, verify, token } = await aSetUp(t)
  const callers = await Promise.all(Array.from({ length: 50 }, () => verify(token)))
  t.is(new Set(callers.map(({ principal }) => principal.owner)).size, 1)
  t.is(server.requests(), 1)
})

test.serial('1,000 tokens with invented key ids cause one fetch per cooldown', async (t) => {
  const { clock, server, verify, signedBy, token } = await aSetUp(t)
  await verify(token)
  const invented = await Promise.all(
    Array.from({ length: tokensAtOnce }, (_, index) => signedBy(nextKey, { kid: `kid-${index}` })),
  )
  for (const cooldown of [1, 2, 3]) {
    const failures = await Promise.all(invented.map((each) => failureOf(t, verify(each))))
    t.true(failures.every(({ code }) => code === 'unauthenticated'))
    t.is(server.requests(), cooldown, `after ${cooldown - 1} cooldowns`)
    clock.advance(jwksLimits.cooldownMs)
  }
})

test.serial('tokens that are refused for their algorithm never cause a fetch', async (t) => {
  const { server, verify } = await aSetUp(t)
  const header = Buffer.from('{"alg":"HS256","kid":"x"}').toString('base64url')
  await failureOf(t, verify(`${header}.e30.AAAA`))
  t.is(server.requests(), 0)
})

test.serial('a new key is honoured as soon as the cooldown is over, without a restart', async (t) => {
  const { clock, server, verify, signedBy, token } = await aSetUp(t)
  await verify(token)
  server.publish(jwksOf(key, nextKey))
  const rotated = await signedBy(nextKey)

  clock.advance(jwksLimits.cooldownMs - 1)
  t.is((await failureOf(t, verify(rotated))).code, 'unauthenticated')
  clock.advance(1)
  t.is((await verify(rotated)).principal.subject, 'asha')
  t.is((await verify(token)).principal.subject, 'asha')
  t.is(server.requests(), 2)
})

test.serial('a key that the issuer withdrew stops working within the maximum age', async (t) => {
  const { clock, server, verify, token } = await aSetUp(t)
  await verify(token)
  server.publish(jwksOf(nextKey))
  clock.advance(jwksLimits.maxAgeMs)
  t.is((await failureOf(t, verify(token))).code, 'unauthenticated')
})

test.serial('keys are renewed in the background before they are too old, while requests go on', async (t) => {
  const { clock, server, verify, token } = await aSetUp(t)
  await verify(token)
  staySilent(server)
  clock.advance(jwksLimits.refreshAfterMs)
  t.is((await verify(token)).principal.subject, 'asha')
  t.is((await verify(token)).principal.subject, 'asha')
  await eventually('the renewal', () => server.requests() === 2)
})

test.serial('while the endpoint is down, known keys go on working and are asked for once per cooldown', async (t) => {
  const { clock, server, verify, token, warnings } = await aSetUp(t)
  await verify(token)
  await server.goDown()
  clock.advance(jwksLimits.maxAgeMs)
  for (const expected of [1, 2, 3]) {
    await verify(token)
    await verify(token)
    t.is(warnings.length, expected)
    clock.advance(jwksLimits.cooldownMs)
  }
  t.regex(warnings[0] ?? '', /key set not renewed .*cannot be reached/)
})

test.serial('keys older than a day are not trusted when they cannot be renewed', async (t) => {
  const { clock, server, verify, token } = await aSetUp(t)
  await verify(token)
  await server.goDown()
  clock.advance(jwksLimits.maxStaleMs)
  t.like(await failureOf(t, verify(token)), unavailable)
})

test.serial('an unknown key while the endpoint is down is "come back", and not "who are you"', async (t) => {
  const { clock, server, verify, signedBy, token } = await aSetUp(t)
  await verify(token)
  await server.goDown()
  clock.advance(jwksLimits.cooldownMs)
  t.like(await failureOf(t, verify(await signedBy(nextKey))), { ...unavailable, retryAfterSeconds: 30 })
  t.is((await verify(token)).principal.subject, 'asha')
})

test.serial('with no key and no endpoint, 1,000 requests cost one attempt and say when to come back', async (t) => {
  const { clock, server, verify, token, warnings } = await aSetUp(t)
  await server.goDown()
  const failures = await Promise.all(Array.from({ length: tokensAtOnce }, () => failureOf(t, verify(token))))
  for (const failure of failures) t.like(failure, { ...unavailable, retryAfterSeconds: 30 })
  clock.advance(12_500)
  t.like(await failureOf(t, verify(token)), { ...unavailable, retryAfterSeconds: 18 })
  t.is(warnings.length, 1)
})

test.serial('the first request after a failure and its cooldown finds the endpoint again', async (t) => {
  const { clock, server, verify, token } = await aSetUp(t)
  server.answer((_request, response) => response.writeHead(503).end())
  t.like(await failureOf(t, verify(token)), unavailable)
  server.publish(jwksOf(key))
  t.like(await failureOf(t, verify(token)), unavailable, 'a failure is remembered for the cooldown')
  clock.advance(jwksLimits.cooldownMs)
  t.is((await verify(token)).principal.subject, 'asha')
  t.is(server.requests(), 2)
})

test.serial('an endpoint that never answers holds one fetch, and for no longer than the timeout', async (t) => {
  const { server, verify, token, warnings } = await aSetUp(t, { limits: { timeoutMs: 1_000 } })
  staySilent(server)
  const failures = await Promise.all(Array.from({ length: 100 }, () => failureOf(t, verify(token))))
  for (const failure of failures) t.like(failure, unavailable)
  t.is(server.requests(), 1)
  t.regex(warnings[0] ?? '', /longer than 1000 ms/)
})

test.serial('an endpoint that drips its answer byte by byte is given up at the timeout', async (t) => {
  const { server, verify, token, warnings } = await aSetUp(t, { limits: { timeoutMs: 1_000 } })
  server.answer((_request, response) => {
    const drip = setInterval(() => response.write(' '), 10)
    response.on('close', () => clearInterval(drip))
  })
  t.like(await failureOf(t, verify(token)), unavailable)
  t.regex(warnings[0] ?? '', /longer than 1000 ms/)
})

test.serial('while a fetch hangs, no more than the limit wait for it, and known keys wait for nothing', async (t) => {
  const { clock, server, verify, signedBy, token } = await aSetUp(t, { limits: { maxWaiting: 2 } })
  await verify(token)
  const held = new Promise<ServerResponse>((resolve) => server.answer((_request, response) => resolve(response)))
  clock.advance(jwksLimits.cooldownMs)
  const unknown = await signedBy(nextKey)
  const waiting = [verify(unknown), verify(unknown)]
  const response = await held

  t.like(await failureOf(t, verify(unknown)), { ...unavailable, retryAfterSeconds: 5 })
  t.is((await verify(token)).principal.subject, 'asha')
  response.end(JSON.stringify(jwksOf(key, nextKey)))
  t.is((await Promise.all(waiting)).length, 2)
})

test.serial('when too many wait for old keys to be renewed, the next are served by the old ones', async (t) => {
  const { clock, server, verify, token } = await aSetUp(t, { limits: { maxWaiting: 1 } })
  await verify(token)
  const held = new Promise<ServerResponse>((resolve) => server.answer((_request, response) => resolve(response)))
  clock.advance(jwksLimits.maxAgeMs)
  const waiting = verify(token)
  const response = await held

  t.is((await verify(token)).principal.subject, 'asha')
  response.end(JSON.stringify(jwksOf(nextKey)))
  t.is((await failureOf(t, waiting)).code, 'unauthenticated')
})

test.serial('a key set of 50 MB is refused while it streams', async (t) => {
  const { server, verify, token, warnings } = await aSetUp(t)
  let sentBytes = 0
  const blocks = function* () {
    for (; sentBytes < fiftyMegabytes; sentBytes += blockBytes) yield Buffer.alloc(blockBytes, ' ')
  }
  server.answer((_request, response) => void pipeline(blocks, response).catch(() => {}))
  t.like(await failureOf(t, verify(token)), unavailable)
  t.regex(warnings[0] ?? '', /larger than 262144 bytes/)
  t.true(sentBytes < fiftyMegabytes / 2, `${sentBytes} bytes were taken`)
})

test.serial('a small answer that unpacks to 50 MB is refused while it unpacks', async (t) => {
  const { server, verify, token, warnings } = await aSetUp(t)
  const packed = gzipSync(Buffer.alloc(fiftyMegabytes, ' '))
  server.answer((_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed))
  t.like(await failureOf(t, verify(token)), unavailable)
  t.regex(warnings[0] ?? '', /larger than 262144 bytes/)
})

test.serial('a redirect is refused, even to a place that has the keys', async (t) => {
  const { server, verify, token, warnings } = await aSetUp(t)
  const elsewhere = await aJwksServer(t)
  elsewhere.publish(jwksOf(key))
  server.answer((_request, response) => response.writeHead(302, { location: elsewhere.url }).end())
  t.like(await failureOf(t, verify(token)), unavailable)
  t.is(elsewhere.requests(), 0)
  t.regex(warnings[0] ?? '', /status 302/)
})

for (const [what, body] of [
  ['HTML', '<html>'],
  ['an empty answer', ''],
  ['a list', '[]'],
  ['a set without keys', '{"keys":[]}'],
  ['a set of texts', '{"keys":["key"]}'],
] as const)
  test.serial(`${what} instead of keys is a failed fetch, and the keys known so far stay`, async (t) => {
    const { clock, server, verify, token, warnings } = await aSetUp(t)
    await verify(token)
    server.answer((_request, response) => response.end(body))
    clock.advance(jwksLimits.maxAgeMs)
    t.is((await verify(token)).principal.subject, 'asha')
    t.regex(warnings[0] ?? '', /the answer is not/)
  })

test.serial('keys of unknown kinds in the set do not spoil the others', async (t) => {
  const { server, verify, token } = await aSetUp(t)
  server.publish({ keys: [{}, { kty: 'quantum', kid: 'first' }, { kty: 'oct', k: 'AAAA' }, ...jwksOf(key).keys] })
  t.is((await verify(token)).principal.subject, 'asha')
})

test.serial('an answer that breaks off is a failed fetch', async (t) => {
  const { server, verify, token, warnings } = await aSetUp(t)
  server.answer((_request, response) => {
    response.writeHead(200, { 'content-length': 1_000 })
    response.write('{"keys":[', () => response.destroy())
  })
  t.like(await failureOf(t, verify(token)), unavailable)
  t.regex(warnings[0] ?? '', /cannot be reached/)
})

test.serial('what a bearer is told about a failed fetch does not name the endpoint', async (t) => {
  const { server, verify, token } = await aSetUp(t)
  await server.goDown()
  const error = await t.throwsAsync(verify(token))
  t.is(error?.message, 'identity_unavailable: The keys of the token issuer cannot be fetched. Try again in 30 s.')
  t.is(error?.cause, undefined)
})

test.serial('keys are fetched over https, or over http from this machine or by explicit leave', (t) => {
  const open = (url: string, allowInsecure = false) =>
    remoteKeys({ url, allowInsecure, clock: aManualClock(), log: aLog([]) })
  const good = [
    'https://issuer.example/jwks',
    'http://127.0.0.1:1/',
    'http://127.8.8.8/',
    'http://[::1]/',
    'http://localhost:9/',
  ]
  for (const url of good) t.notThrows(() => open(url), url)
  const bad = [
    'http://issuer.example/',
    'http://127.evil.example/',
    'http://localhost.evil.example/',
    'http://10.0.0.1/',
  ]
  for (const url of bad) {
    t.throws(() => open(url), { message: /must be https/ }, url)
    t.notThrows(() => open(url, true), url)
  }
  for (const url of ['file:///etc/passwd', 'ftp://127.0.0.1/', 'data:application/json,{}'])
    t.throws(() => open(url, true), { message: /must be https/ }, url)
  t.throws(() => open('https://user:secret@issuer.example/'), { message: /^(?!.*secret).*leave them out/ })
  t.throws(() => open('issuer.example'), { message: /is not a URL/ })
})
