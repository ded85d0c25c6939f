import { readFile } from 'node:fs/promises'

import test from 'ava'
import { decodeJwt } from 'jose'

import { settings } from '../../infra/config/settings.ts'
import { aFolder } from '../support/folder.ts'
import { runVaak } from '../support/processes.ts'

const commands =
  'up gateway worker realtime transcribe watch say models login upload batch batches list status results download search correct delete evaluate token keys dead-letters backup restore migrate doctor broker-users config completion'.split(
    ' ',
  )

for (const words of [[], ['--help'], ['-h'], ['help']])
  test(`vaak ${words.join(' ')} lists the commands`, async (t) => {
    const { code, stdout, stderr } = await runVaak(t, words)
    t.is(code, 0)
    t.is(stderr, '')
    for (const command of commands) t.regex(stdout, new RegExp(`^  ${command} +\\w`, 'm'))
  })

test('every command explains itself, examples first, also where it could not run', async (t) => {
  for (const command of commands) {
    const { code, stdout } = await runVaak(t, [command, '--help'], { PORT: 'wrong' })
    t.is(code, 0)
    t.regex(stdout, new RegExp(`^(?:(?:  vaak .*\\n)+\\n)?Usage: vaak ${command}`))
    t.false(/Usage:[^]*\n\n {2}vaak /.test(stdout), `${command}: an example below`)
  }
})

test('an unknown command or option is a sentence and status 2', async (t) => {
  const command = await runVaak(t, ['juggle'])
  t.is(command.code, 2)
  t.regex(command.stderr, /^There is no command "juggle"\.\n\nVaak: /)
  const mistyped = await runVaak(t, ['trancribe', 'a.wav'])
  t.is(mistyped.code, 2)
  t.is(mistyped.stderr, 'There is no command "trancribe". Did you mean: vaak transcribe?\n')
  const option = await runVaak(t, ['up', '--dance'])
  t.is(option.code, 2)
  t.is(option.stderr, "Unknown option '--dance'\nTry: vaak up --help\n")
  const operands = await runVaak(t, ['transcribe', '--dance', 'a.wav'])
  t.is(operands.stderr, "Unknown option '--dance'\nTry: vaak transcribe --help\n")
})

test('vaak --version says the version of the package', async (t) => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8'))
  t.like(await runVaak(t, ['--version']), { code: 0, stdout: `vaak ${version}\n`, stderr: '' })
})

test('a wrong configuration is refused with all complaints at once and status 2', async (t) => {
  const { code, stdout, stderr } = await runVaak(t, ['up'], {
    DATA_DIR: await aFolder(t),
    PORT: 'eighty',
    UPLOAD_MAX_FILES: '0',
    FAULTS: 'nowhere:kill',
  })
  t.is(code, 2)
  t.is(stdout, '')
  t.regex(
    stderr,
    /^The configuration has 3 problem\(s\):\n  PORT: "eighty" was given; .*\n  UPLOAD_MAX_FILES: .*\n  FAULTS: /,
  )
})

test('vaak gateway without a broker says what to do', async (t) => {
  const { code, stderr } = await runVaak(t, ['gateway'])
  t.is(code, 2)
  t.is(stderr, 'NATS_URL is empty. Set it, or use "vaak up", which brings a nats-server of its own.\n')
})

test('vaak config shows every variable with its meaning, and no secret', async (t) => {
  const { code, stdout } = await runVaak(t, ['config'], {
    PORT: '8123',
    NATS_PASSWORD: 'hunter2',
    NATS_URL: 'nats://vaak:hunter2@broker.example:4222',
    STORAGE_SECRET_ACCESS_KEY: 'hunter2',
  })
  t.is(code, 0)
  t.notRegex(stdout, /hunter2/)
  t.regex(stdout, /^PORT=8123\n {4}Port of the REST gateway\. \(port; environment\)$/m)
  t.regex(stdout, /^NATS_PASSWORD=\(set, not shown\)$/m)
  for (const { variable, about } of Object.values(settings)) {
    t.true(stdout.includes(`${variable}=`), variable)
    t.true(stdout.includes(about), variable)
  }
  const { stdout: reference } = await runVaak(t, ['config', '--markdown'])
  const rows = reference.split('\n').filter((line) => line.startsWith('| `'))
  t.is(rows.length, Object.keys(settings).length)
})

test('vaak token prints a token and nothing else', async (t) => {
  const { code, stdout, stderr } = await runVaak(t, ['token', '--user', 'asha', '--hours', '2'], {
    DATA_DIR: await aFolder(t),
  })
  t.is(code, 0)
  t.is(stderr, '')
  const { sub, exp = 0, iat = 0 } = decodeJwt(stdout.trim())
  t.is(sub, 'asha')
  t.is(exp - iat, 2 * 3600)
})

test('vaak token without a name is for me', async (t) => {
  const { code, stdout } = await runVaak(t, ['token'], { DATA_DIR: await aFolder(t) })
  t.is(code, 0)
  t.is(decodeJwt(stdout.trim()).sub, 'me')
})

test('a token that cannot be made is a sentence', async (t) => {
  const environment = { DATA_DIR: await aFolder(t) }
  const refused = async (words: string[], more: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await runVaak(t, ['token', ...words], { ...environment, ...more })
    t.is(stdout, '')
    return [code, stderr.trim()]
  }
  for (const hours of ['0', '721', '1.5', 'long', '-1'])
    t.deepEqual(await refused(['--user', 'asha', `--hours=${hours}`]), [
      2,
      '--hours takes a whole number from 1 to 720.',
    ])
  const remote = { JWKS_URL: 'https://id.example/jwks', JWT_ISSUER: 'id', JWT_AUDIENCE: 'vaak' }
  t.deepEqual(await refused(['--user', 'asha'], remote), [
    2,
    'JWKS_URL is set, so tokens come from that issuer, not from the development issuer.',
  ])
  const [code, stderr] = await refused(['--user', 'asha'], { NODE_ENV: 'production' })
  t.is(code, 2)
  t.regex(String(stderr), /the development issuer does not run with NODE_ENV=production/)
})
