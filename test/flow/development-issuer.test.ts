import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'

import test from 'ava'
import { createRemoteJWKSet, jwtVerify } from 'jose'

import { aFolder } from '../support/folder.ts'
import { aGateway } from '../support/gateway.ts'
import { aNatsServer } from '../support/nats.ts'

const run = promisify(execFile)
const processes = 4

test('other programs find the keys at the gateway, and can check a token with them', async (t) => {
  const gateway = await aGateway(t, await aNatsServer(t))
  const keys = createRemoteJWKSet(new URL(`${gateway.url}/.well-known/jwks.json`))
  const { payload } = await jwtVerify(await gateway.tokenOf('asha'), keys, { issuer: 'vaak:development' })
  t.is(payload.sub, 'asha')
  const { body } = await gateway.api.as(undefined).get('/.well-known/jwks.json')
  t.false(JSON.stringify(body).includes('"d"'), 'nothing secret')
})

test('where an identity provider has the keys of tokens the gateway has that of receipts and no other', async (t) => {
  const environment = { JWKS_URL: 'http://127.0.0.1:9/keys', JWT_ISSUER: 'issuer', JWT_AUDIENCE: 'audience' }
  const gateway = await aGateway(t, await aNatsServer(t), { environment })
  const { body } = await gateway.api.as(undefined).get('/.well-known/jwks.json')
  t.is(body.keys.length, 1)
  t.is((await fetch(`${gateway.url}/transcribe/batches`, { headers: { Authorization: 'Bearer x' } })).status, 401)
})

test('processes that start at the same time end with the same development key', async (t) => {
  const folder = await aFolder(t)
  const module = new URL('../../infra/identity/development-issuer.js', import.meta.url).href
  const program = `
    import { openDevelopmentIssuer } from ${JSON.stringify(module)}
    const clock = { nowMs: () => Date.now() }
    const issuer = await openDevelopmentIssuer({ folder: process.argv[1], nodeEnv: undefined, clock })
    process.stdout.write(JSON.stringify(issuer.jwks()))
  `
  const start = () => run(process.execPath, ['--input-type=module', '--eval', program, folder], { timeout: 60_000 })
  const answers = await Promise.all(Array.from({ length: processes }, start))
  const keySets = new Set(answers.map(({ stdout }) => stdout))
  t.is(keySets.size, 1)
  t.regex([...keySets].join(''), /"kty":"EC"/)
  t.deepEqual(await readdir(folder), ['development-key.pem'])
})
