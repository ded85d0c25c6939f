import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'

import { runCommand } from '../../infra/process/run-command.ts'
import { aFolder } from '../support/folder.ts'

const timeoutMs = 60_000

test('what a program prints is what it resolves with', async (t) => {
  t.is(await runCommand({ program: '/bin/echo', args: ['नमस्ते'], timeoutMs }), 'नमस्ते\n')
})

test('a program that fails is an error with its words', async (t) => {
  const running = runCommand({ program: '/bin/sh', args: ['-c', 'echo no room >&2; exit 3'], timeoutMs })
  await t.throwsAsync(running, { message: '/bin/sh ended with status 3: no room' })
})

test('a program that was just written is started as soon as nobody holds it open', async (t) => {
  const program = join(await aFolder(t), 'hello')
  await writeFile(program, '#!/bin/sh\necho hello\n', { mode: 0o755 })
  const held = await open(program, 'r+')
  const running = runCommand({ program, args: [], timeoutMs })
  await held.close()
  t.is(await running, 'hello\n')
})
