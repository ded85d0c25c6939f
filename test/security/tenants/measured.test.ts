import test from 'ava'

import { aNatsServer } from '../../support/nats.ts'
import { aPipeline, submitted } from '../../support/pipeline.ts'
import { aRemoteServer, whole } from '../../support/remote.ts'
import { aScriptedRecording } from '../../support/scripted-speech.ts'

const speech = { audio: 1 }

/** Nobody has seen the header of what a URL names: it is taken for a minute. */
test('a recording at a URL counts by the sound that is in it, not by the guess it was admitted with', async (t) => {
  const long = aScriptedRecording([speech, ...Array.from({ length: 99 }, () => 'silence' as const)])
  const short = aScriptedRecording([speech])
  const server = await aRemoteServer(t, (request, response) =>
    whole(request.url?.includes('long') ? long : short)(request, response),
  )
  const { api, addWorker } = await aPipeline(t, await aNatsServer(t), {
    QUOTA_AUDIO_SECONDS: '90',
    FILE_MAX_RETRIES: '0',
    REMOTE_ALLOW_PRIVATE: '127.0.0.1',
    REMOTE_PORTS: String(server.port),
  })
  await addWorker()
  const ask = async (name: string) => {
    const { status, body } = await api.post('/transcribe/batch', {
      json: { sources: [{ url: `${server.url}?${name}` }] },
    })
    t.is(status, 200)
    return (await submitted(api, body).finished()).files[0]
  }
  const refused = await ask('long')
  t.is(refused.status, 'failed')
  t.is(refused.errors[0].code, 'quota_exceeded')
  t.regex(refused.errors[0].message, /has 100 seconds, and was taken for 60 .* your quota is 90 seconds/)
  t.is((await ask('short')).status, 'completed', 'what was refused holds nothing of the quota')
})
