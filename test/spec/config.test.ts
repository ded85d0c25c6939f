import test from 'ava'

import { ConfigError, describeConfig, readConfig } from '../../infra/config/config.ts'
import { realtimeTls } from '../../infra/config/tls-files.ts'

test('an empty environment is a complete configuration', (t) => {
  const config = readConfig({})
  t.is(config.port, 8080)
  t.is(config.dataDir, '.vaak')
  t.is(config.uploadMaxFileBytes, 2 * 1024 ** 3)
  t.is(config.uploadMaxFiles, 200)
  t.deepEqual(config.jwtAlgorithms, ['RS256', 'ES256', 'EdDSA'])
})

test('the configuration cannot be changed after it was read', (t) => {
  t.true(Object.isFrozen(readConfig({})))
})

test('a variable that is set to nothing counts as not set', (t) => {
  t.is(readConfig({ PORT: '' }).port, 8080)
})

test('all complaints come together, each with the name, what was given and what is allowed', (t) => {
  const error = t.throws(() => readConfig({ PORT: 'eighty', UPLOAD_MAX_FILES: '0', JWT_ALGORITHMS: 'none' }), {
    instanceOf: ConfigError,
  })
  t.deepEqual(error.complaints, [
    'PORT: "eighty" was given; expected a whole number from 0 to 65535 (port).',
    'JWT_ALGORITHMS: "none" was given; expected one or more of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, separated by commas.',
    'UPLOAD_MAX_FILES: "0" was given; expected a whole number from 1 to 500 (files).',
  ])
})

test('sizes are read with and without a unit', (t) => {
  t.is(readConfig({ UPLOAD_MAX_FILE_BYTES: '1048576' }).uploadMaxFileBytes, 1_048_576)
  t.is(readConfig({ UPLOAD_MAX_FILE_BYTES: '512 MiB' }).uploadMaxFileBytes, 512 * 1024 ** 2)
  for (const wrong of ['2GB', '-1', '1.5GiB', 'lots'])
    t.throws(() => readConfig({ UPLOAD_MAX_FILE_BYTES: wrong }), { instanceOf: ConfigError }, wrong)
})

test('a web address is read without the slash at its end, and refused with a user in it, who is not shown', (t) => {
  t.is(readConfig({ HF_ENDPOINT: 'https://mirror.example/hub/' }).hubAddress, 'https://mirror.example/hub')
  for (const wrong of ['mirror.example', 'ftp://mirror.example', 'https://asha:hunter2@mirror.example']) {
    const error = t.throws(() => readConfig({ HF_ENDPOINT: wrong }), { instanceOf: ConfigError }, wrong)
    t.regex(error.message, /HF_ENDPOINT: .* expected an address that begins with http:\/\/ or https:\/\//)
    t.notRegex(error.message, /hunter2/)
  }
})

test('a JWKS without issuer and audience is refused', (t) => {
  const error = t.throws(() => readConfig({ JWKS_URL: 'https://id.example/jwks' }), { instanceOf: ConfigError })
  t.regex(error.message, /JWT_ISSUER and JWT_AUDIENCE must be set/)
})

test('people sign in at an issuer whose address is safe, and are asked for an id', (t) => {
  const issuer = { JWKS_URL: 'https://id.example/jwks', JWT_ISSUER: 'https://id.example/realm', JWT_AUDIENCE: 'vaak' }
  const signIn = { ...issuer, OIDC_CLIENT_ID: 'console' }
  t.is(readConfig(signIn).oidcScopes, 'openid')
  t.is(readConfig({ ...signIn, JWT_ISSUER: 'http://127.0.0.1:9/' }).jwtIssuer, 'http://127.0.0.1:9/')
  for (const [given, complaint] of [
    [{ OIDC_CLIENT_ID: 'console' }, /^OIDC_CLIENT_ID: .* JWKS_URL is empty/],
    [{ ...signIn, JWT_ISSUER: 'http://id.example' }, /^JWT_ISSUER: .* https/],
    [{ ...signIn, JWT_ISSUER: 'https://id.example/?realm=1' }, /^JWT_ISSUER: .* query/],
    [{ ...signIn, JWT_ISSUER: 'https://a:b@id.example' }, /^JWT_ISSUER: .* without a user/],
    [{ ...signIn, JWT_ISSUER: 'vaak' }, /^JWT_ISSUER: /],
    [{ ...signIn, OIDC_SCOPES: 'email' }, /^OIDC_SCOPES: expected `openid`/],
    [{ ...signIn, OIDC_SCOPES: 'openid  email' }, /^OIDC_SCOPES: .* one space/],
  ] as const)
    t.regex(t.throws(() => readConfig(given), { instanceOf: ConfigError }).complaints.join(), complaint)
})

test('a certificate without its key is refused, and so is a key without its certificate', (t) => {
  for (const [variable, given] of [
    ['TLS_CERT', { TLS_CERT: '/cert.pem' }],
    ['TLS_CERT', { TLS_KEY: '/key.pem' }],
    ['REALTIME_TLS_CERT', { REALTIME_TLS_KEY: '/key.pem' }],
    ['NATS_TLS_CERT', { NATS_TLS_CERT: '/cert.pem' }],
  ] as const) {
    const error = t.throws(() => readConfig(given), { instanceOf: ConfigError })
    t.deepEqual(error.complaints, [
      `${variable}: a certificate needs its key and a key its certificate; set both or neither.`,
    ])
  }
})

test('the realtime port has the certificate of the gateway, unless it has its own', (t) => {
  const shared = { TLS_CERT: '/cert.pem', TLS_KEY: '/key.pem' }
  const own = { REALTIME_TLS_CERT: '/own.pem', REALTIME_TLS_KEY: '/own-key.pem' }
  t.is(realtimeTls(readConfig({})), undefined)
  t.deepEqual(realtimeTls(readConfig(shared)), { certPath: '/cert.pem', keyPath: '/key.pem' })
  t.deepEqual(realtimeTls(readConfig({ ...shared, ...own })), { certPath: '/own.pem', keyPath: '/own-key.pem' })
})

test('production without a JWKS is refused, because the development issuer does not run there', (t) => {
  const error = t.throws(() => readConfig({ NODE_ENV: 'production' }), { instanceOf: ConfigError })
  t.regex(error.message, /development issuer does not run with NODE_ENV=production/)
})

test('a fault is one of the known points, and is refused in production', (t) => {
  t.is(readConfig({ FAULTS: 'transfer.after-blob:kill' }).faults, 'transfer.after-blob:kill')
  t.throws(() => readConfig({ FAULTS: 'transfer.after-bolb:kill' }), { message: /FAULTS: .* expected one of none, / })
  const production = { NODE_ENV: 'production', JWKS_URL: 'https://id.example', JWT_ISSUER: 'id', JWT_AUDIENCE: 'vaak' }
  t.is(readConfig(production).faults, 'none')
  const error = t.throws(() => readConfig({ ...production, FAULTS: 'transfer.after-blob:kill' }), {
    instanceOf: ConfigError,
  })
  t.deepEqual(error.complaints, ['FAULTS: is for tests only and is refused with NODE_ENV=production; remove it.'])
})

test('the scripted recogniser is refused in production', (t) => {
  t.is(readConfig({}).recogniser, 'models')
  t.is(readConfig({ RECOGNISER: 'scripted' }).recogniser, 'scripted')
  t.throws(() => readConfig({ NODE_ENV: 'production', RECOGNISER: 'scripted' }), {
    message: /RECOGNISER: `scripted` is for tests only and is refused with NODE_ENV=production; remove it\./,
  })
})

test('secrets are never shown, neither in the description nor in a complaint', (t) => {
  const described = describeConfig({ NATS_PASSWORD: 'hunter2', STORAGE_SECRET_ACCESS_KEY: 'hunter2' })
  t.notRegex(JSON.stringify(described), /hunter2/)
  t.is(described.find(({ variable }) => variable === 'NATS_PASSWORD')?.value, '(set, not shown)')
})
