import { readFile } from 'node:fs/promises'

import test from 'ava'

import { ApiError, openClient } from '../../infra/client/client.ts'
import { serverEvents } from '../../infra/client/server-events.ts'
import { apiDocument } from '../../infra/dev/api-document.ts'
import { clientSource } from '../../infra/dev/client-source.ts'

test('the client is what the generator makes of the description', async (t) => {
  const committed = await readFile(new URL('../../../infra/client/api.ts', import.meta.url), 'utf8')
  t.is(committed, clientSource(apiDocument()), 'run: npm run client')
})

test('types follow the schemas', (t) => {
  const source = clientSource({
    components: {
      schemas: {
        Thing: {
          type: 'object',
          properties: {
            id: { type: 'string', description: 'Which */ one.' },
            kinds: { type: 'array', items: { enum: ['a', 'b'] } },
            size: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
            more: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Thing' } },
          },
          required: ['id', 'kinds'],
        },
      },
    },
    paths: {},
  })
  t.true(
    source.includes(`export interface Thing {
  /** Which *\\/ one. */
  readonly id: string
  readonly kinds: readonly ('a' | 'b')[]
  readonly size?: number | null
  readonly more?: {
    readonly [name: string]: Thing
  }
}`),
    source,
  )
})

test('a call fills in its path and query, and a refusal is an error with its reason', async (t) => {
  const asked: { url: string; method: string | undefined; authorization: string | null }[] = []
  const answers = [
    Response.json({ batch_id: 'x', status: 'queued' }),
    Response.json({ detail: { message: 'Not now.' } }, { status: 503, headers: { 'Retry-After': '7' } }),
  ]
  const client = openClient({
    url: 'http://host:1/',
    token: 'secret',
    fetch(url, init) {
      const headers = new Headers(init?.headers)
      asked.push({
        url: typeof url === 'string' ? url : '',
        method: init?.method,
        authorization: headers.get('authorization'),
      })
      return Promise.resolve(answers.shift()!)
    },
  })
  const { status } = await client.call('getBatchStatus', { params: { batch_id: 'a/b' } })
  t.is(status, 'queued')
  const error = await t.throwsAsync(
    client.call('getBatchResults', { params: { batch_id: 'x' }, query: { page: 2, chunks: true } }),
    { instanceOf: ApiError },
  )
  t.is(error?.message, 'Not now. (status 503)')
  t.is(error?.retryAfterSeconds, 7)
  t.deepEqual(asked, [
    { url: 'http://host:1/transcribe/status/batch/a%2Fb', method: 'GET', authorization: 'Bearer secret' },
    {
      url: 'http://host:1/transcribe/results/batch/x?page=2&chunks=true',
      method: 'GET',
      authorization: 'Bearer secret',
    },
  ])
})

test('events are read however they are cut up, with either end of a line, and comments are passed over', async (t) => {
  const stream = ': hello\r\n\r\nevent: status\r\ndata: {"a":"क"}\r\nid: 1\r\n\r\ndata: x\ndata:y\n\ndata: half'
  const bytes = Buffer.from(stream)
  for (const size of [1, 7, bytes.length]) {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    )
    const response = new Response(ReadableStream.from(pieces))
    t.deepEqual(await allOf(serverEvents(response)), [
      { event: 'status', data: '{"a":"क"}', id: '1' },
      { event: 'message', data: 'x\ny', id: undefined },
    ])
  }
})

test('an event that does not end is not waited for', async (t) => {
  const pieces = function* (): Generator<Buffer> {
    for (;;) yield Buffer.from('data: more\n')
  }
  const response = new Response(ReadableStream.from(pieces()))
  await t.throwsAsync(allOf(serverEvents(response)), { message: /max buffer size/ })
})

async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
