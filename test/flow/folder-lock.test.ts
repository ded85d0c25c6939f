import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { aFolder } from '../support/folder.ts'

const contenders = 5

test('a second process is refused with a sentence that names the first and the folder', async (t) => {
  const folder = await aFolder(t)
  const first = await aContender(t, folder)
  const second = await aContender(t, folder)
  t.is(await first.go(), 'locked')
  t.is(
    await second.go(),
    `FolderInUse: ${folder} is in use by process ${first.pid} (contender). Stop that process, or choose another DATA_DIR.`,
  )
})

test('when the holder is killed, exactly one of many processes that rush in succeeds it', async (t) => {
  const folder = await aFolder(t)
  const holder = await aContender(t, folder)
  t.is(await holder.go(), 'locked')
  const rush = await Promise.all(Array.from({ length: contenders }, () => aContender(t, folder)))
  await holder.kill9()
  const outcomes = await Promise.all(rush.map((contender) => contender.go()))
  t.is(outcomes.filter((outcome) => outcome === 'locked').length, 1)
  t.is(outcomes.filter((outcome) => outcome.includes('is in use by process')).length, contenders - 1)
})

async function aContender(t: ExecutionContext, folder: string) {
  const script = fileURLToPath(new URL('../support/lock-contender.js', import.meta.url))
  const child = spawn(process.execPath, [script, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const lines = createInterface({ input: child.stdout })
  await once(lines, 'line')
  return {
    pid: child.pid,
    async go(): Promise<string> {
      const said = once(lines, 'line')
      child.stdin.write('go\n')
      const [outcome] = await said
      return String(outcome)
    },
    async kill9(): Promise<void> {
      child.kill('SIGKILL')
      await ended
    },
  }
}
