import type { RequestListener } from 'node:http'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import type { Api } from '../../support/api.ts'
import { eventually } from '../../support/eventually.ts'
import { aNatsServer } from '../../support/nats.ts'
import { aPipeline, submit, submitted } from '../../support/pipeline.ts'
import type { SubmittedBatch } from '../../support/pipeline.ts'
import { aFetcher, aRemoteServer, whole } from '../../support/remote.ts'
import type { RemoteServer } from '../../support/remote.ts'
import { aScriptedRecording, scriptedSeconds } from '../../support/scripted-speech.ts'

const clip = aScriptedRecording(scriptedSeconds(1))

interface DrippingServer extends RemoteServer {
  /** Answers that are not at their end. */
  dripping(): number
  /** Sends the rest of everything, and is slow no more. */
  hurry(): void
}

/** 2 KiB a second of a clip, for as long as it lasts. */
async function aDrippingServer(t: ExecutionContext): Promise<DrippingServer> {
  const rests = new Set<() => void>()
  let isSlow = true
  const drip: RequestListener = (request, response) => {
    if (!isSlow) return whole(clip)(request, response)
    response.writeHead(200, { 'content-type': 'audio/wav', 'content-length': clip.length, etag: '"one"' })
    let sent = 0
    const timer = setInterval(() => {
      // the end of it is never reached by dripping
      if (sent + 512 < clip.length / 2) response.write(clip.subarray(sent, (sent += 512)))
    }, 250)
    const finish = (): void => void response.end(clip.subarray(sent))
    rests.add(finish)
    response.on('close', () => {
      clearInterval(timer)
      rests.delete(finish)
    })
  }
  const server = await aRemoteServer(t, drip)
  return {
    ...server,
    dripping: () => rests.size,
    hurry() {
      isSlow = false
      for (const finish of rests) finish()
    },
  }
}

async function submitUrls(api: Api, urls: readonly string[]): Promise<SubmittedBatch> {
  const { status, body } = await api.post('/transcribe/batch', { json: { sources: urls.map((url) => ({ url })) } })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return submitted(api, body)
}

test('servers that drip hold up who named them, and nobody else', async (t) => {
  const slow = await aDrippingServer(t)
  const quick = await aRemoteServer(t, whole(clip))
  const { gateway, addWorker } = await aPipeline(t, await aNatsServer(t), {
    WORKER_FILE_SLOTS: '2',
    WORKER_FETCH_SLOTS_PER_USER: '2',
    REMOTE_ALLOW_PRIVATE: '127.0.0.1',
    REMOTE_PORTS: `${slow.port},${quick.port}`,
    STALE_MS: '60000',
    ACK_WAIT_MS: '30000',
  })
  await addWorker()
  const [hostile, good] = [await gateway.apiOf('hostile'), await gateway.apiOf('good')]
  const dripped = await submitUrls(
    hostile,
    ['a', 'b', 'c', 'd'].map((name) => `${slow.url}?${name}`),
  )
  await eventually('two of them are fetched', () => slow.dripping() === 2)

  const uploaded = await submit(good, [{ name: 'clip.wav', content: clip }], {})
  t.is((await uploaded.finished()).files[0].status, 'completed')
  const named = await submitUrls(good, [quick.url])
  t.is((await named.finished()).files[0].status, 'completed')
  t.is(slow.dripping(), 2, 'they drip meanwhile, and no more than a user’s share of them')
  t.is((await dripped.status()).status, 'processing')

  slow.hurry()
  const { files } = await dripped.finished()
  t.deepEqual(
    files.map(({ status }: { status: string }) => status),
    ['completed', 'completed', 'completed', 'completed'],
    'what was put off is done as well, and nothing of it counted as a failure',
  )
  t.is(slow.requests.length, 4)
})

test('the time that a server has follows from what it has sent, whatever it announced', async (t) => {
  const slow = await aDrippingServer(t)
  // 2 KiB a second pass for steady, and are too little beyond the grace
  const limits = { graceMs: 500, minBytesPerSecond: 8 * 1024, patienceMs: 60_000, maxResumes: 0 }
  const { remote, path } = await aFetcher(t, { ports: [slow.port], limits })
  await t.throwsAsync(remote.fetch(slow.url, path), {
    message: /took longer than \d+ seconds, which is the limit for \d+ bytes/,
  })
})
