import { generateKeyPairSync } from 'node:crypto'
import { mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

import test from 'ava'
import type { ExecutionContext } from 'ava'
import { decodeJwt, decodeProtectedHeader } from 'jose'

import { localKeys } from '../../infra/identity/keys.ts'
import { tokenVerifier } from '../../infra/identity/token.ts'
import { openDevelopmentIssuer } from '../../infra/identity/development-issuer.ts'
import { aFolder } from '../support/folder.ts'
import { aManualClock } from '../support/manual-clock.ts'
import { failureOf } from '../support/tokens.ts'

const keyFile = 'development-key.pem'

function open(folder: string, clock = aManualClock()) {
  return openDevelopmentIssuer({ folder, nodeEnv: undefined, clock })
}

async function anIssuer(t: ExecutionContext) {
  return open(await aFolder(t))
}

test('a token of the development issuer is accepted by a verifier that has its keys', async (t) => {
  const clock = aManualClock()
  const { issuer, audience, jwks, sign } = await open(await aFolder(t), clock)
  const verify = tokenVerifier({ issuer, audience, clock, keys: localKeys(jwks) })
  t.is((await verify(await sign({ user: 'asha' }))).principal.subject, 'asha')
})

test('the published key set holds the public half only, named by its thumbprint', async (t) => {
  const issuer = await anIssuer(t)
  const [jwk, ...others] = issuer.jwks().keys
  t.deepEqual(others, [])
  t.deepEqual(Object.keys(jwk ?? {}).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  t.is(decodeProtectedHeader(await issuer.sign({ user: 'asha' })).kid, jwk?.kid)
})

test('the key is created once, is readable by its owner only, and is found again later', async (t) => {
  const folder = join(await aFolder(t), 'deep', 'identity')
  const first = await open(folder)
  t.is((await stat(join(folder, keyFile))).mode & 0o777, 0o600)
  t.is((await stat(folder)).mode & 0o777, 0o700)
  t.deepEqual(await readdir(folder), [keyFile], 'nothing else is left behind')
  t.deepEqual((await open(folder)).jwks(), first.jwks())
})

test('issuers opened at the same time, or a moment apart, share one key', async (t) => {
  for (const round of [1, 2, 3, 4, 5]) {
    const folder = await aFolder(t)
    const late = async (turns: number) => {
      for (let turn = 0; turn < turns; turn += 1) await nextTurn()
      return open(folder)
    }
    const issuers = await Promise.all(Array.from({ length: 20 }, (_, index) => late(index * 2)))
    t.is(new Set(issuers.map(({ jwks }) => JSON.stringify(jwks()))).size, 1, `round ${round}`)
    t.deepEqual(await readdir(folder), [keyFile])
  }
})

test('what a crash left beside the key does not matter', async (t) => {
  const folder = await aFolder(t)
  await writeFile(join(folder, `.${keyFile}.0000`), '-----BEGIN PRIV')
  await t.notThrowsAsync(open(folder))
})

const otherKeys = {
  'of another kind': generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey,
  'of another curve': generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).privateKey,
}
for (const [what, damage] of [
  ['empty', (path: string) => truncate(path, 0)],
  ['cut off', (path: string) => truncate(path, 100)],
  ['of other content', (path: string) => writeFile(path, '{}')],
  ['huge', (path: string) => writeFile(path, 'x'.repeat(100_000))],
  ['made of halves that do not belong together', swapPublicHalf],
  ...Object.entries(otherKeys).map(
    ([kind, key]) => [kind, (path: string) => writeFile(path, key.export({ type: 'pkcs8', format: 'pem' }))] as const,
  ),
] as const)
  test(`a key file that is ${what} is named, with what to do, and is left alone`, async (t) => {
    const folder = await aFolder(t)
    await open(folder)
    const path = join(folder, keyFile)
    await damage(path)
    const damaged = await readFile(path)
    const error = await t.throwsAsync(open(folder))
    t.true(error?.message.startsWith(`The development key ${path} is damaged. Remove the file and start again`))
    t.true(damaged.equals(await readFile(path)))
  })

test('a key file that is a folder is named', async (t) => {
  const folder = await aFolder(t)
  await mkdir(join(folder, keyFile))
  await t.throwsAsync(open(folder), { message: /development-key\.pem cannot be read/ })
})

test('a folder that cannot hold a key is named', async (t) => {
  const folder = await aFolder(t)
  await symlink(join(folder, 'not', 'there'), join(folder, 'link'))
  await t.throwsAsync(open(join(folder, 'link')), { message: /link\/development-key\.pem cannot be created/ })
})

test('in production the development issuer does not start, says what to set, and makes no key', async (t) => {
  for (const nodeEnv of ['production', 'PRODUCTION', ' production ']) {
    const folder = await aFolder(t)
    await t.throwsAsync(openDevelopmentIssuer({ folder, nodeEnv, clock: aManualClock() }), {
      message: /NODE_ENV is production.*Set JWKS_URL, JWT_ISSUER and JWT_AUDIENCE/,
    })
    t.deepEqual(await readdir(folder), [])
  }
})

test('a token lives 12 hours unless asked otherwise, and 30 days at most', async (t) => {
  const issuer = await anIssuer(t)
  const lifetimeOf = async (lifetimeSeconds?: number) => {
    const request = lifetimeSeconds === undefined ? { user: 'asha' } : { user: 'asha', lifetimeSeconds }
    const { exp = 0, iat = 0 } = decodeJwt(await issuer.sign(request))
    return exp - iat
  }
  t.is(await lifetimeOf(), 43_200)
  t.is(await lifetimeOf(1), 1)
  t.is(await lifetimeOf(2_592_000), 2_592_000)
  for (const seconds of [2_592_001, 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    const failure = await failureOf(t, issuer.sign({ user: 'asha', lifetimeSeconds: seconds }))
    t.is(failure.code, 'invalid_request', String(seconds))
  }
})

test('a user name has 1 to 128 printable characters, in any script', async (t) => {
  const issuer = await anIssuer(t)
  const names = ['a', 'asha@example.org', 'Asha Rao', 'आशा', 'क्‍ष', '*', '>', '🗣️', 'अ'.repeat(128), '🗣'.repeat(128)]
  for (const user of names) t.is(decodeJwt(await issuer.sign({ user })).sub, user.normalize('NFC'), user)
  for (const user of ['', ' ', ' a', 'a ', 'a\r\nb', 'a\0', 'a\u001b[31m', 'a\u202eb', '\ud800', 'a'.repeat(129)]) {
    const failure = await failureOf(t, issuer.sign({ user }))
    t.is(
      failure.detail,
      'A user name has 1 to 128 printable characters and no space at either end.',
      JSON.stringify(user),
    )
  }
})

test('a name is one user, however its letters were composed', async (t) => {
  const issuer = await anIssuer(t)
  const [composed, decomposed] = await Promise.all(
    ['Jos\u00e9', 'Jose\u0301'].map(async (user) => decodeJwt(await issuer.sign({ user })).sub),
  )
  t.is(composed, decomposed)
})

/** The private half of one key with the public half of another, as a damaged disk or a clumsy edit may leave it. */
async function swapPublicHalf(path: string): Promise<void> {
  const der = () =>
    generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({ type: 'pkcs8', format: 'der' })
  const publicHalfBytes = 65
  const [mine, theirs] = [der(), der()]
  theirs.copy(mine, mine.length - publicHalfBytes, theirs.length - publicHalfBytes)
  await writeFile(path, `-----BEGIN PRIVATE KEY-----\n${mine.toString('base64')}\n-----END PRIVATE KEY-----\n`)
}
