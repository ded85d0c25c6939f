import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { inspect } from 'node:util'

import test from 'ava'
import * as fc from 'fast-check'
import { CompactSign, exportSPKI, FlattenedSign } from 'jose'

import { localKeys } from '../../infra/identity/keys.ts'
import { principalOf } from '../../infra/identity/principal.ts'
import { tokenVerifier } from '../../infra/identity/token.ts'
import type { TokenOptions } from '../../infra/identity/token.ts'
import { aJwksServer } from '../support/jwks-server.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { aSigningKey, aToken, audience, failureOf, issuer, jwksOf } from '../support/tokens.ts'
import type { SigningKey } from '../support/tokens.ts'

const clock = aManualClock()
const nowSeconds = clock.nowMs() / 1_000
const key = await aSigningKey('first')
const rsaKey = await aSigningKey('rsa', 'RS256')
const edwardsKey = await aSigningKey('edwards', 'EdDSA')
const strangersKey = await aSigningKey('first')
const jwks = jwksOf(key, rsaKey, edwardsKey)

const aVerifier = (options: Partial<TokenOptions> = {}) =>
  tokenVerifier({ issuer, audience, clock, keys: localKeys(() => jwks), ...options })
const verify = aVerifier()

type Changes = Parameters<typeof aToken>[2]
const tokenWith = (changes: Changes, by: SigningKey = key) => aToken(by, clock.nowMs(), changes)

/** Any text, really signed: claims that no JWT library would agree to write. */
function signedText(payload: string | Buffer): Promise<string> {
  return new CompactSign(Buffer.from(payload)).setProtectedHeader({ alg: 'ES256', kid: 'first' }).sign(key.privateKey)
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

const goodClaims = { iss: issuer, aud: audience, sub: 'asha', exp: nowSeconds + 600 }

const refusal = test.macro(async (t, make: () => Promise<string> | string, reason: RegExp) => {
  const failure = await failureOf(t, verify(await make()))
  t.is(failure.code, 'unauthenticated')
  t.regex(JSON.stringify(failure.detail), reason)
})

test('a good token gives the principal of its issuer and subject', async (t) => {
  t.deepEqual((await verify(await tokenWith({}))).principal, principalOf(issuer, 'asha'))
})

test('RS256, ES256 and EdDSA are accepted', async (t) => {
  for (const by of [key, rsaKey, edwardsKey]) t.is((await verify(await tokenWith({}, by))).principal.subject, 'asha')
})

test('one of several audiences is enough', async (t) => {
  await t.notThrowsAsync(verify(await tokenWith({ claims: { aud: ['other', audience] } })))
})

test(
  'a token with alg none is refused',
  refusal,
  () => `${encoded({ alg: 'none' })}.${encoded(goodClaims)}.`,
  /algorithm is not accepted.*RS256, ES256, EdDSA/,
)

test(
  'a token signed by HS256 with the RSA public key as the secret is refused',
  refusal,
  async () => {
    const signed = `${encoded({ alg: 'HS256', kid: 'rsa' })}.${encoded(goodClaims)}`
    const secret = await exportSPKI(rsaKey.publicKey)
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
  },
  /algorithm is not accepted/,
)

test('an algorithm that is not on the list is refused although the key is right', async (t) => {
  const verifyOnlyEdDsa = aVerifier({ algorithms: ['EdDSA'] })
  const failure = await failureOf(t, verifyOnlyEdDsa(await tokenWith({})))
  t.is(failure.detail, "The token's algorithm is not accepted. Accepted are EdDSA.")
})

test('a list of algorithms with a symmetric one, with none, or with nothing is refused at the start', (t) => {
  for (const algorithms of [['RS256', 'HS256'], ['none'], []])
    t.throws(() => aVerifier({ algorithms }), { message: /must be asymmetric/ })
})

test(
  'a token signed by a stranger under a published key id is refused',
  refusal,
  () => tokenWith({}, strangersKey),
  /signature does not match/,
)

test(
  'a token whose claims were changed after signing is refused',
  refusal,
  async () => {
    const [header, , signature] = (await tokenWith({})).split('.')
    return `${header}.${encoded({ ...goodClaims, sub: 'bala' })}.${signature}`
  },
  /signature does not match/,
)

test(
  'a token whose signature was cut off is refused',
  refusal,
  async () => (await tokenWith({})).replace(/[^.]*$/, ''),
  /signature does not match/,
)

test('a key id of any content is only compared, never followed', async (t) => {
  const server = await aJwksServer(t)
  const kids = [
    '../../../../etc/passwd',
    "' OR 1=1 --",
    server.url,
    '\0',
    '__proto__',
    '',
    'x'.repeat(4_000),
    '*',
    7,
    null,
  ]
  for (const kid of kids) {
    const failure = await failureOf(t, verify(await tokenWith({ header: { kid } })))
    t.is(failure.detail, 'The token was signed with a key that its issuer does not publish. Ask for a new one.')
  }
  t.is(server.requests(), 0)
})

test('keys that a token brings along or points to (jwk, jku, x5u, x5c) are never used', async (t) => {
  const server = await aJwksServer(t)
  server.publish(jwksOf(strangersKey))
  for (const header of [{ jwk: strangersKey.jwk }, { jku: server.url }, { x5u: server.url }, { x5c: ['MIIB'] }]) {
    const forged = await failureOf(t, verify(await tokenWith({ header }, strangersKey)))
    t.is(forged.code, 'unauthenticated')
    t.is(
      (await verify(await tokenWith({ header }))).principal.subject,
      'asha',
      'a good token may carry it: it is ignored',
    )
  }
  t.is(server.requests(), 0)
})

test('a token without a key id is refused when several keys fit', async (t) => {
  const keys = localKeys(() => jwksOf(key, { ...strangersKey, jwk: { ...strangersKey.jwk, kid: 'second' } }))
  const failure = await failureOf(t, aVerifier({ keys })(await tokenWith({ header: { kid: undefined } })))
  t.is(failure.detail, 'The token does not say which key signed it (kid), and more than one could have.')
})

test('a token without a key id is accepted when one key fits', async (t) => {
  t.is((await verify(await tokenWith({ header: { kid: undefined } }))).principal.subject, 'asha')
})

test(
  'a token from another issuer is refused, and the one expected is named',
  refusal,
  () => tokenWith({ claims: { iss: `${issuer}.evil` } }),
  /iss must be https:\/\/issuer\.example\."$/,
)

test(
  'a token for another audience is refused, and the one expected is named',
  refusal,
  () => tokenWith({ claims: { aud: 'billing' } }),
  /aud must be vaak\."$/,
)

for (const claim of ['iss', 'aud', 'exp', 'sub'])
  test(
    `a token without ${claim} is refused`,
    refusal,
    () => tokenWith({ claims: { [claim]: undefined } }),
    new RegExp(claim),
  )

test(
  'a token whose exp is a text is refused',
  refusal,
  () => signedText(JSON.stringify({ ...goodClaims, exp: '9999999999' })),
  /exp claim is not a number/,
)

for (const [what, sub] of [
  ['a number', 7],
  ['empty', ''],
  ['a list', ['asha']],
  ['null', null],
] as const)
  test(
    `a token whose subject is ${what} is refused`,
    refusal,
    () => signedText(JSON.stringify({ ...goodClaims, sub })),
    /sub claim is not a text/,
  )

test(
  'a subject with a lone surrogate is refused, because all of them would be one owner',
  refusal,
  () => signedText(`{"iss":"${issuer}","aud":"vaak","exp":${nowSeconds + 9},"sub":"\\ud800"}`),
  /not valid Unicode/,
)

test(
  'an expired token is refused, and its time is said',
  refusal,
  () => tokenWith({ claims: { exp: nowSeconds - 3_600 } }),
  /^"The token expired at 2025-12-31T23:00:00\.000Z\. Ask its issuer for a new one\."$/,
)

test(
  'a token that expired before all calendars is refused like any other',
  refusal,
  () => signedText(JSON.stringify({ ...goodClaims, exp: -1e300 })),
  /^"The token expired\. /,
)

test(
  'a token that is not valid yet is refused, and its time is said',
  refusal,
  () => tokenWith({ claims: { nbf: nowSeconds + 3_600 } }),
  /begins at 2026-01-01T01:00:00\.000Z/,
)

test('clocks may differ by the tolerance and not by a second more', async (t) => {
  const tolerant = aVerifier({ clockToleranceSeconds: 60 })
  await t.notThrowsAsync(tolerant(await tokenWith({ claims: { exp: nowSeconds - 59 } })))
  await t.notThrowsAsync(tolerant(await tokenWith({ claims: { nbf: nowSeconds + 60 } })))
  await failureOf(t, tolerant(await tokenWith({ claims: { exp: nowSeconds - 60 } })))
  await failureOf(t, tolerant(await tokenWith({ claims: { nbf: nowSeconds + 61 } })))
})

test('a clock tolerance above 60 s, below 0 or of no number is refused at the start', (t) => {
  for (const clockToleranceSeconds of [61, -1, Number.NaN, Number.POSITIVE_INFINITY])
    t.throws(() => aVerifier({ clockToleranceSeconds }), { message: /must be 0 to 60 s/ })
})

test('a token as large as the limit is read, and one byte more is refused unread', async (t) => {
  const token = await tokenWith({})
  await t.notThrowsAsync(aVerifier({ maxTokenBytes: token.length })(token))
  const failure = await failureOf(t, aVerifier({ maxTokenBytes: token.length - 1 })(token))
  t.is(failure.code, 'unauthenticated')
})

test(
  'unless it is set otherwise, the limit for a token is 8192 bytes',
  refusal,
  () => tokenWith({ claims: { pad: 'x'.repeat(6_000) } }),
  /and at most 8192 are accepted/,
)

test(
  'a token with an unknown critical extension is refused',
  refusal,
  () => tokenWith({ header: { crit: ['pay-me'], 'pay-me': true } }),
  /extension \(crit\)/,
)

test(
  'a token with an unencoded payload (b64 false) is refused',
  refusal,
  async () => {
    const header = { alg: 'ES256', kid: 'first', b64: false, crit: ['b64'] }
    const jws = await new FlattenedSign(Buffer.from('{}')).setProtectedHeader(header).sign(key.privateKey)
    return `${jws.protected}.{}.${jws.signature}`
  },
  /not a signed JWT/,
)

test(
  'a token that names a claim twice is refused',
  refusal,
  () => signedText(`{"iss":"${issuer}","aud":"vaak","exp":${nowSeconds + 9},"sub":"bala","sub":"asha"}`),
  /names a claim twice/,
)

for (const [what, text] of [
  ['a list', '[]'],
  ['a number', '1'],
  ['no JSON', '{'],
  ['no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
] as const)
  test(`a token whose claims are ${what} is refused`, refusal, () => signedText(text), /not a signed JWT/)

test('no text at all makes the verifier crash', async (t) => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.base64String(),
    fc.json().map((json) => encoded(json)),
  )
  const header = fc.record({
    alg: fc.constantFrom('ES256', 'RS256', 'none'),
    kid: fc.jsonValue(),
    crit: fc.jsonValue(),
  })
  const shaped = fc.tuple(fc.oneof(part, header.map(encoded)), part, part).map((parts) => parts.join('.'))
  await fc.assert(
    fc.asyncProperty(fc.oneof(shaped, fc.string({ unit: 'binary' })), async (token) => {
      const failure = await failureOf(t, verify(token))
      return failure.code === 'unauthenticated'
    }),
    { numRuns: 500 },
  )
})

test('what is thrown about a token holds neither the token nor its claims', async (t) => {
  const secret = 'asha-secret-7'
  const tokens = [
    await tokenWith({ claims: { sub: secret, exp: 1 } }),
    await tokenWith({ claims: { sub: secret, aud: secret } }),
    await tokenWith({ claims: { sub: secret }, header: { kid: secret } }),
    await tokenWith({ claims: { sub: secret }, header: { crit: [secret], [secret]: 1 } }),
    await tokenWith({ claims: { sub: secret } }, strangersKey),
    await signedText(JSON.stringify({ ...goodClaims, sub: [secret] })),
  ]
  for (const token of tokens) {
    const error = await t.throwsAsync(verify(token))
    const everything = inspect(error, { depth: 20, showHidden: true })
    t.false(everything.includes(secret), everything)
    t.false(
      token.split('.').some((part) => everything.includes(part)),
      everything,
    )
  }
})

test('a key that is too weak or broken is the fault of its issuer, not of the bearer', async (t) => {
  const weak = generateKeyPairSync('rsa', { modulusLength: 1_024 })
  const signed = `${encoded({ alg: 'RS256', kid: 'bad' })}.${encoded(goodClaims)}`
  const token = `${signed}.${sign('sha256', Buffer.from(signed), weak.privateKey).toString('base64url')}`
  for (const jwk of [
    weak.publicKey.export({ format: 'jwk' }),
    weak.privateKey.export({ format: 'jwk' }),
    { kty: 'RSA' },
  ]) {
    const keys = localKeys(() => ({ keys: [{ ...jwk, kty: 'RSA', kid: 'bad' }] }))
    t.is((await failureOf(t, aVerifier({ keys })(token))).code, 'identity_unavailable')
  }
})
