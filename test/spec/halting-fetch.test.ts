import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import test from 'ava'

import { chatModel } from '../../infra/llm/chat-completions.ts'
import { aChatServer, chatChunk } from '../support/chat-server.ts'
import { aLog } from '../support/log.ts'
import { failureOf } from '../support/tokens.ts'

const atOnce = 40
const collectEveryMs = 10

const question = {
  instructions: '',
  turns: [{ kind: 'said', by: 'user', text: 'Hi' }],
  tools: [],
  toolChoice: 'auto',
} as const

test('an endpoint that begins and falls silent is left in time, whatever was collected meanwhile', async (t) => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void // as: what the flag puts there
  const collecting = setInterval(collect, collectEveryMs)
  t.teardown(() => clearInterval(collecting))
  const { baseUrl } = await aChatServer(t, (response) => {
    response.writeHead(200).write(chatChunk({ content: 'Hel' }))
  })
  const patience = { beginWithinMs: 60_000, timeoutMs: 500, retries: 0 }
  const model = chatModel({ baseUrl, model: 'test-model', apiKey: '', ...patience, log: aLog() })
  const listen = async (): Promise<void> => {
    for await (const _part of model.answer(question, new AbortController().signal));
  }
  const failures = await Promise.all(Array.from({ length: atOnce }, () => failureOf(t, listen())))
  t.deepEqual([...new Set(failures.map(({ detail }) => detail))], ['The conversation model was silent for 500 ms.'])
})
