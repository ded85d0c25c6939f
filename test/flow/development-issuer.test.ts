import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { promisify } from 'node:util'

import test from 'ava'

import { aFolder } from '../support/folder.ts'

const run = promisify(execFile)
const processes = 4

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
