import { execFile } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { batchesIn } from '../support/batches.ts'
import { aFolder } from '../support/folder.ts'
import { startTestNats } from '../support/nats.ts'
import type { TestNats } from '../support/nats.ts'
import { aPipeline } from '../support/pipeline.ts'
import type { Pipeline } from '../support/pipeline.ts'
import { runVaak } from '../support/processes.ts'
import { aScriptedRecording, scriptedSeconds, textsOf } from '../support/scripted-speech.ts'

/** The command as a client, as a person uses it, against a server that works. */

let nats: TestNats
test.before(async () => {
  nats = await startTestNats()
})
test.after.always(() => nats.stop())

const one = aScriptedRecording(scriptedSeconds(2))
const two = aScriptedRecording(scriptedSeconds(1, 50))
const broken = aScriptedRecording([{ audio: 7, commands: [{ stage: 'plan', act: 'terminal' }] }])

async function aUser(t: ExecutionContext, { api, gateway }: Pipeline) {
  const environment = { VAAK_URL: api.url, VAAK_TOKEN: await gateway.tokenOf('asha') }
  return (...words: string[]) => runVaak(t, words, environment)
}

test.serial('from files to a transcript: batch --watch, status, results, download', async (t) => {
  const pipeline = await aPipeline(t, nats)
  await pipeline.addWorker()
  const vaak = await aUser(t, pipeline)
  const folder = await aFolder(t)
  await writeFile(join(folder, 'one.wav'), one)
  await writeFile(join(folder, 'two.wav'), two)

  const batch = await vaak('batch', join(folder, 'one.wav'), join(folder, 'two.wav'), '--language', 'en', '--watch')
  t.is(batch.code, 0, batch.stderr)
  t.regex(batch.stderr, /one\.wav: done/)
  t.regex(batch.stderr, /all files: done/)
  t.regex(batch.stderr, /completed: 2 of 2 done, 0 with gaps, 0 failed/)
  const batchId = batch.stdout.trim()
  const status = await vaak('status', batchId, '--watch')
  t.is(status.stdout, `${batchId} completed: 2 of 2 done, 0 with gaps, 0 failed\n`)
  const listed = await vaak('batches', '--status', 'completed')
  t.regex(listed.stdout, new RegExp(`^${batchId} \\S+ completed: 2 of 2 done, 0 with gaps, 0 failed\\n$`))
  const stored = await vaak('list', '--status', 'completed')
  t.regex(stored.stdout, /^\S+ completed 2\.0s one\.wav$/m)
  t.regex(stored.stdout, /^\S+ completed 1\.0s two\.wav$/m)
  const first = await vaak('list', '--limit', '1')
  t.is(first.stdout.trimEnd().split('\n').length, 1)
  t.is(first.stderr, 'There are more: --page 2 of 2\n')
  const results = await vaak('results', batchId)
  t.regex(results.stdout, /^==> one\.wav, completed <==\nheard \d+/)
  t.regex(results.stdout, /\n==> two\.wav, completed <==\nheard \d+/)
  const text = await vaak('download', batchId, '--format', 'text')
  t.true(text.stdout.includes(textsOf(two)[0]!))
  const output = join(folder, 'all.ndjson')
  t.is((await vaak('download', batchId, '--output', output)).code, 0)
  t.is((await readFile(output, 'utf8')).trimEnd().split('\n').length, 2)

  const reference = join(folder, 'reference.txt')
  await writeFile(reference, textsOf(one).join(' '))
  const { files } = JSON.parse((await vaak('results', batchId, '--json')).stdout) as { files: { file_id: string }[] }
  const quality = await vaak('evaluate', '--reference', reference, '--file', files[0]!.file_id, '--json')
  t.like(JSON.parse(quality.stdout), { words: 4, word_error_rate: 0 })
})

test.serial('who logs in need not name the server again, and the token is shown to no other', async (t) => {
  const { api, gateway } = await aPipeline(t, nats)
  const file = join(await aFolder(t), 'own', 'login.json')
  const program = new URL('../../infra/cli/vaak.js', import.meta.url).pathname
  const env = { PATH: '/usr/bin:/bin', VAAK_LOGIN_FILE: file }
  const login = (token: string) => {
    const words = ['-c', 'echo "$0" | "$1" "$2" login "$3"', token, process.execPath, program, api.url]
    return promisify(execFile)('sh', words, { env })
  }
  await t.throwsAsync(login('wrong'), { message: /status 401/ })
  t.is((await runVaak(t, ['list'], env)).code, 2, 'nothing was kept')

  t.regex((await login(await gateway.tokenOf('asha'))).stdout, /is used from now on/)
  t.is((await stat(file)).mode & 0o777, 0o600)
  const listed = await runVaak(t, ['list'], env)
  t.is(listed.code, 0, listed.stderr)

  const other = await runVaak(t, ['list'], { ...env, VAAK_URL: 'http://127.0.0.1:9' })
  t.is(other.code, 2)
  t.regex(other.stderr, /"vaak login" was for http/)
  t.is(
    (await runVaak(t, ['list'], { ...env, VAAK_TOKEN: 'wrong', VAAK_URL: api.url })).code,
    1,
    'VAAK_TOKEN goes first',
  )
  t.is((await runVaak(t, ['login', '--forget'], env)).code, 0)
  t.is((await runVaak(t, ['list'], env)).code, 2)
})

test.serial('a recording may come through a pipe', async (t) => {
  const { api, gateway } = await aPipeline(t, nats)
  const file = join(await aFolder(t), 'one.wav')
  await writeFile(file, one)
  const program = new URL('../../infra/cli/vaak.js', import.meta.url).pathname
  const env = { PATH: '/usr/bin:/bin', VAAK_URL: api.url, VAAK_TOKEN: await gateway.tokenOf('asha') }
  const words = ['-c', 'cat "$0" | "$1" "$2" upload -', file, process.execPath, program]
  const { stdout } = await promisify(execFile)('sh', words, { env })
  t.regex(stdout, /^\S+ completed standard-input$/m)
})

test.serial('what fails is said, with an exit code that a script can tell', async (t) => {
  const pipeline = await aPipeline(t, nats)
  await pipeline.addWorker()
  const vaak = await aUser(t, pipeline)
  const folder = await aFolder(t)
  await writeFile(join(folder, 'broken.wav'), broken)
  await writeFile(join(folder, 'page.html'), '<html></html>')
  const batch = await vaak('batch', join(folder, 'broken.wav'), '--watch')
  t.is(batch.code, 1)
  t.regex(batch.stderr, /failed: 0 of 1 done, 0 with gaps, 1 failed/)
  t.regex((await vaak('results', batch.stdout.trim())).stdout, /broken\.wav, failed <==\n\(.*fails for good/)
  const upload = await vaak('upload', join(folder, 'page.html'))
  t.is(upload.code, 1)
  t.regex(upload.stderr, /None of the files is audio/)
  t.regex(upload.stderr, /^page\.html: .*\n/m)
  await writeFile(join(folder, 'two.wav'), two)
  const mixed = await vaak('batch', join(folder, 'page.html'), join(folder, 'two.wav'), '--language', 'auto', '--watch')
  t.is(mixed.code, 1, 'one was refused')
  t.regex(mixed.stderr, /^page\.html: .*\n/m)
  t.regex(mixed.stderr, /completed: 1 of 1 done/)
  const unknown = await vaak('status', '01900000-0000-7000-8000-000000000000')
  t.is(unknown.code, 1)
  t.is(unknown.stderr, 'batch not found (status 404)\n')
})

test.serial('what a person says of a batch is sent with it, and what is not JSON is told at once', async (t) => {
  const pipeline = await aPipeline(t, nats)
  const vaak = await aUser(t, pipeline)
  const file = join(await aFolder(t), 'one.wav')
  await writeFile(file, one)
  const batch = await vaak('batch', file, '--metadata', '{"ticket": "A-17"}')
  t.is(batch.code, 0, batch.stderr)
  const { stdout } = await vaak('status', batch.stdout.trim(), '--json')
  t.like(JSON.parse(stdout), { metadata: { ticket: 'A-17' } })
  const headers = join(await aFolder(t), 'headers')
  await writeFile(headers, 'Authorization: Bearer x:y\n\nX-Api-Key: z\n')
  const url = 'https://example.org/call.wav'
  const remote = await vaak('batch', url, '--headers', headers, '--callback', url, '--callback-headers', headers)
  t.is(remote.code, 0, remote.stderr)
  const records = await batchesIn({ nats, dataDir: pipeline.dataDir })
  const stored = (await records.batches.read(remote.stdout.trim()))?.value
  t.like(stored, { callbackHeaders: { Authorization: 'Bearer x:y', 'X-Api-Key': 'z' } })
  const part = await vaak('batch', file, '--start', '0.5', '--end', '0:01.5', '--json')
  t.is(part.code, 0, part.stderr)
  const [{ file_id: fileId }] = JSON.parse(part.stdout).jobs
  t.like((await pipeline.api.get(`/transcribe/status/file/${fileId}`)).body, { start: 0.5, end: 1.5 })
  for (const [wrong, reason] of [
    [['--start', 'noon'], /^--start takes seconds, or a time/],
    [['--start', '2', '--end', '1'], /^--end is at least 0\.1 seconds after --start/],
    [['--start', '2', '--upload', 'x'], /^--start and --end are for URLs/],
    [['--headers', headers], /^--headers is for URLs/],
    [['--redact-audio'], /^--redact-audio takes nothing out by itself/],
    [['--keep-unredacted'], /^--keep-unredacted takes nothing out by itself/],
  ] as const) {
    const { code, stderr } = await vaak('batch', file, ...wrong)
    t.is(code, 2)
    t.regex(stderr, reason)
  }
  for (const wrong of ['A-17', '[1]', 'null']) {
    const { code, stderr } = await vaak('batch', file, '--metadata', wrong)
    t.is(code, 2)
    t.regex(stderr, /^--metadata takes a JSON object/)
  }
})

test('without a token, a server or a word that is needed, a sentence says so', async (t) => {
  const token = await runVaak(t, ['status', 'x'])
  t.is(token.code, 2)
  t.regex(token.stderr, /^VAAK_TOKEN is empty/)
  const server = await runVaak(t, ['status', 'x'], { VAAK_URL: 'http://127.0.0.1:9', VAAK_TOKEN: 'x' })
  t.is(server.code, 1)
  t.regex(server.stderr, /^The server at http:\/\/127\.0\.0\.1:9 cannot be reached/)
  for (const words of [['upload'], ['batch'], ['status'], ['results'], ['download'], ['evaluate']]) {
    const { code, stderr } = await runVaak(t, words, { VAAK_TOKEN: 'x' })
    t.is(code, 2)
    t.regex(stderr, /Try: vaak /)
  }
})

test('texts are compared without any server', async (t) => {
  const folder = await aFolder(t)
  await writeFile(join(folder, 'said.txt'), 'मेरा प्रोजेक्ट')
  await writeFile(join(folder, 'heard.txt'), 'मेरा project')
  const { code, stdout } = await runVaak(t, [
    'evaluate',
    '--reference',
    join(folder, 'said.txt'),
    join(folder, 'heard.txt'),
  ])
  t.is(code, 0)
  t.regex(stdout, /as written +50\.0 %/)
  t.regex(stdout, /either script +0\.0 % +0\.0 %/)
})

test.serial('recordings and batches are deleted, all or nothing, and a mistake says what to type', async (t) => {
  const pipeline = await aPipeline(t, nats)
  const alone = await pipeline.submit([{ name: 'one.wav', content: one }])
  const { batchId, fileIds } = await pipeline.submit([{ name: 'two.wav', content: two }])
  const vaak = await aUser(t, pipeline)
  const [first = '', second = ''] = [...alone.fileIds, ...fileIds]
  const unknown = await vaak('delete', first, '01900000-0000-7000-8000-000000000000')
  t.is(unknown.code, 1)
  const { stdout: listed } = await vaak('list')
  t.true(listed.includes(first) && listed.includes(second))
  t.like(await vaak('delete', first), { code: 0, stdout: '1 recording deleted.\n' })
  const batch = await vaak('delete', '--batch', batchId, '--files')
  t.like(batch, { code: 0, stdout: `${batchId} and 1 recording deleted.\n` })
  const { stdout: left } = await vaak('list')
  t.false(left.includes(first) || left.includes(second))
  for (const words of [[], [second, '--batch', batchId], ['--files']])
    t.like(await vaak('delete', ...words), {
      code: 2,
      stderr: 'What? Try: vaak delete FILE_ID…, or: vaak delete --batch BATCH_ID [--files]\n',
    })
})

test.serial('words of the house: set from a file, shown, used by name, replaced and deleted', async (t) => {
  const pipeline = await aPipeline(t, nats)
  await pipeline.addWorker()
  const vaak = await aUser(t, pipeline)
  const folder = await aFolder(t)
  const [file, list] = [join(folder, 'one.wav'), join(folder, 'words.txt')]
  await writeFile(file, one)
  await writeFile(list, '# ours\nVaak = heard, वाक\n\nKurla Depot * 1.5\n')
  const made = await vaak('vocabulary', 'set', 'house', list)
  t.is(made.code, 0, made.stderr)
  t.regex(made.stdout, /^\S+ version 1 2 entries house\n$/)
  t.is((await vaak('vocabulary', 'show', 'house')).stdout, 'Vaak = heard, वाक\nKurla Depot * 1.5\n')
  const batch = await vaak('batch', file, '--vocabulary', 'house', '--watch')
  t.is(batch.code, 0, batch.stderr)
  t.regex((await vaak('results', batch.stdout.trim())).stdout, /^Vaak \d+ Vaak \d+/m)
  await writeFile(list, '[{"text": "Vaak"}]')
  t.regex((await vaak('vocabulary', 'set', 'house', list)).stdout, /version 2 1 entries house/)
  t.is((await vaak('vocabulary', 'delete', 'house')).stdout, 'house is deleted.\n')
  t.is((await vaak('vocabulary', 'list')).stdout, '')
  const unknown = await vaak('batch', file, '--vocabulary', 'house')
  t.is(unknown.code, 2)
  t.regex(unknown.stderr, /You have no vocabulary "house"/)
  await writeFile(list, '[{"txt": 1}]')
  t.regex((await vaak('vocabulary', 'set', 'house', list)).stderr, /is no list of entries/)
})

test.serial(
  'who uploads a recording again is told that it is stored once, unless it is to be stored again',
  async (t) => {
    const pipeline = await aPipeline(t, nats)
    const vaak = await aUser(t, pipeline)
    const path = join(await aFolder(t), 'again.wav')
    await writeFile(path, aScriptedRecording(scriptedSeconds(1, 70)))
    const first = await vaak('upload', path)
    t.is(first.code, 0, first.stderr)
    t.notRegex(first.stderr, /already/)
    const fileId = first.stdout.split('\n')[1]?.split(' ')[0] ?? ''
    const again = await vaak('upload', path)
    t.is(again.code, 0)
    t.true(
      again.stderr.includes(`again.wav: you had this recording already, as ${fileId}; it is stored once for both.`),
    )
    t.notRegex((await vaak('upload', '--no-deduplicate', path)).stderr, /already/)
  },
)
