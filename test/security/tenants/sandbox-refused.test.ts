import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { sandboxState } from '../../../infra/process/sandbox.ts'
import { sampleSeconds } from '../../support/sample-words.ts'
import { testWhere } from '../../support/test-where.ts'

const run = promisify(execFile)
/** Whether namespaces are allowed, and who runs the tests, is for others to say, also in CI. */
const forOthersToSay = { mustRunInCi: false }

const decoding = [process.execPath, fileURLToPath(new URL('../../support/sandboxed-decoding.js', import.meta.url))]

/** What a process says of its sandbox, and decodes, that is started through these words. */
async function decodedThrough(words: readonly string[]): Promise<{ state: string; refusal: string; seconds: number }> {
  const [program = '', ...rest] = [...words, ...decoding]
  const { stdout } = await run(program, rest)
  return JSON.parse(stdout)
}

const withoutNamespaces = ['user', 'mnt', 'net', 'pid'].map((kind) => `echo 0 >/proc/sys/user/max_${kind}_namespaces`)
const refused = [
  'unshare',
  '--user',
  '--map-root-user',
  'sh',
  '-c',
  `${withoutNamespaces.join(' && ')} && exec "$@"`,
  '-',
]
const testWhereRefused = await testWhere(
  'a machine without namespaces',
  () => run(refused[0]!, [...refused.slice(1), 'true']),
  forOthersToSay,
)

const otherUser = ['setpriv', '--reuid=61184', '--regid=61184', '--clear-groups']
const testAsOther = await testWhere(
  'another user',
  () => run(otherUser[0]!, [...otherUser.slice(1), ...decoding.slice(0, 1), '--version']),
  forOthersToSay,
)

testWhereRefused('where the kernel refuses namespaces it is said what that means, and files are decoded', async (t) => {
  const { state, refusal, seconds } = await decodedThrough(refused)
  t.regex(state, /could look into our processes, read files of this machine, use the network, start programs/)
  t.regex(refusal, /SANDBOX is required/)
  t.is(Math.round(seconds), sampleSeconds)
})

testAsOther('who is not root has the same sandbox', async (t) => {
  const { state, refusal, seconds } = await decodedThrough(otherUser)
  t.deepEqual([state, refusal, Math.round(seconds)], [sandboxState(), '', sampleSeconds])
})
