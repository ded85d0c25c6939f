import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { eventually } from '../support/eventually.ts'
import { aFolder } from '../support/folder.ts'
import { aLossyProxy } from '../support/lossy-proxy.ts'
import { aWav } from '../support/media.ts'
import { runVaak, startVaak } from '../support/processes.ts'
import { aNoisyWav, storedBytesOf } from '../support/resumable.ts'
import { sharedService } from '../support/service.ts'

/** `vaak upload` over connections that break. */

const service = sharedService(test)
const mebibyte = 1024 * 1024
/** A little more than what is sent in one go. */
const large = aNoisyWav(1, 560)

async function aScene(t: ExecutionContext) {
  t.timeout(240_000)
  const user = await service.user(t)
  const folder = await aFolder(t)
  const path = join(folder, 'long.wav')
  await writeFile(path, large)
  const proxy = await aLossyProxy(t, Number(new URL(service.url).port))
  return { ...user, folder, path, proxy, env: { VAAK_URL: `http://127.0.0.1:${proxy.port}`, VAAK_TOKEN: user.token } }
}

test('a long recording is sent whole over a connection that breaks, beside short ones', async (t) => {
  const { api, token, folder, path, proxy, env } = await aScene(t)
  const short = join(folder, 'short.wav')
  await writeFile(short, aWav({ seconds: 0.1 }))
  proxy.cutAfter([Infinity, 3 * mebibyte, 2 * mebibyte, 500, 5 * mebibyte])
  const { code, stdout, stderr } = await runVaak(t, ['upload', path, short, '--json'], env)
  t.is(code, 0, stderr)
  t.true(proxy.cuts > 0)
  t.regex(stderr, /^long\.wav: The connection broke\. It goes on by itself where it broke off\.$/m)
  t.regex(stderr, /sending long\.wav: done/)
  const [first, second] = stdout.trimEnd().split('\n').map((line) => JSON.parse(line)) // prettier-ignore
  t.like(first, { status: 'completed', files: [{ filename: 'short.wav' }] })
  t.like(second, { status: 'completed', files: [{ filename: 'long.wav', size_bytes: large.length }] })
  t.true((await storedBytesOf(api, token, second.files[0].file_id)).equals(large))
  t.is((await api.get('/files/resumable')).body.count, 0)
})

test('short recordings whose connection breaks are sent one by one, each from where it broke off', async (t) => {
  const { api, token, folder, proxy, env } = await aScene(t)
  const [one, other] = [aNoisyWav(2, 60), aNoisyWav(3, 60)]
  const paths = [join(folder, 'one.wav'), join(folder, 'other.wav')]
  await Promise.all([one, other].map((bytes, at) => writeFile(paths[at] ?? '', bytes)))
  proxy.cutAfter([mebibyte, Infinity, Infinity, Infinity, mebibyte])
  const { code, stdout, stderr } = await runVaak(t, ['upload', ...paths, '--json'], env)
  t.is(code, 0, stderr)
  t.regex(stderr, /^The connection broke\. What it carried is sent once more, one recording after another/m)
  const sent = stdout.trimEnd().split('\n').map((line) => JSON.parse(line).files[0]) // prettier-ignore
  t.deepEqual(sent.map(({ filename }) => filename), ['one.wav', 'other.wav']) // prettier-ignore
  t.true((await storedBytesOf(api, token, sent[0].file_id)).equals(one))
  t.true((await storedBytesOf(api, token, sent[1].file_id)).equals(other))
  t.is((await api.get('/files')).body.total_files, 2)
})

test('who gives the command again after it died sends only what is missing', async (t) => {
  const { api, token, path, env } = await aScene(t)
  const proxy = await aLossyProxy(t, Number(new URL(service.url).port))
  // every connection breaks early, so that it does not come to the end
  proxy.cutAfter(Array.from({ length: 50 }, () => 9 * mebibyte))
  const dying = startVaak(t, ['upload', path], { ...env, VAAK_URL: `http://127.0.0.1:${proxy.port}` })
  const before = await eventually('something was kept', async () => {
    const { uploads } = (await api.get('/files/resumable')).body
    return uploads[0]?.received_bytes > 0 ? uploads[0] : undefined
  })
  await dying.kill9()
  const { code, stdout, stderr } = await runVaak(t, ['upload', path], env)
  t.is(code, 0, stderr)
  const [, fileId = ''] = /^(\S+) completed long\.wav$/m.exec(stdout) ?? []
  t.true((await storedBytesOf(api, token, fileId)).equals(large))
  const became = (await api.get(`/files/resumable/${before.resumable_upload_id}`)).body
  t.is(became.file_id, fileId, 'the same upload went on')
  t.is((await api.get('/files')).body.total_files, 1)
})

test('a large file that is no recording is refused by name, and short ones are not', async (t) => {
  const { folder, path, env } = await aScene(t)
  const short = join(folder, 'short.wav')
  await writeFile(short, aWav({ seconds: 0.1 }))
  await writeFile(path, Buffer.alloc(17 * mebibyte, 'words '))
  const { code, stdout, stderr } = await runVaak(t, ['upload', path, short], env)
  t.is(code, 1)
  t.regex(stderr, /^long\.wav: .*audio/m)
  t.regex(stdout, /completed short\.wav\n$/)
})
