import test from 'ava'

import type { FuzzedDocument } from '../fuzz/document.ts'
import { failureText } from '../fuzz/contract-report.ts'
import { fuzzContract } from '../fuzz/contract.ts'
import { openFuzzJudge } from '../fuzz/judge.ts'
import type { FuzzRequest } from '../fuzz/request.ts'
import type { Person, FuzzWorld } from '../fuzz/world.ts'
import { aFileId, anOwner } from '../support/builders.ts'
import { apiAt } from '../support/api.ts'

test('1,000 generated and mutated requests of two users reach every address and are each answered as documented', async (t) => {
  t.timeout(300_000)
  const run = { seed: 217_887, from: 0, requests: 1_000 }
  const { failures, unreached, sent } = await fuzzContract(run)
  for (const failure of failures) t.log(failureText(run, failure))
  t.is(failures.length, 0)
  t.is(sent, 1_000)
  t.deepEqual(unreached, [])
})

test('an upload with a file behind a part that cannot be read is answered', async (t) => {
  const { failures } = await fuzzContract({ seed: 5, from: 4_570, requests: 1 })
  t.deepEqual(failures, [])
})

const securityHeaders: [string, string][] = [
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['content-security-policy', 'none'],
  ['cache-control', 'no-store'],
]
const operation = {
  method: 'GET',
  path: '/files',
  needsToken: true,
  needsLink: false,
  parameters: [],
  body: undefined,
  responses: { 200: {}, 401: {} },
}
const theirFile = aFileId()

/** A judge over one route, for which every body with a status is as documented, and two people of whom one has a file. */
function complaintsAbout(answer: { status: number; body: string; headers?: readonly [string, string][] }) {
  const [asha, bela] = ['asha', 'bela'].map((name): Person => {
    const api = apiAt('http://127.0.0.1:1')
    return {
      name,
      owner: anOwner(name),
      token: name,
      links: [],
      api,
      ids: { file: [], upload: [], batch: [], key: [], resumable: [] },
    }
  })
  const world: FuzzWorld = {
    people: [asha!, bela!],
    voices: [],
    holderOf: (id) => (id === theirFile ? bela : undefined),
    learn: () => undefined,
    forget: () => undefined,
    losses: () => Promise.resolve([]),
  }
  const document: FuzzedDocument = {
    operations: [operation],
    resolve: (schema) => schema,
    complaintAbout: (_, { status }) => (status === 200 || status === 401 ? undefined : `${status} is not documented`),
    isFailure: () => true,
  }
  const request: FuzzRequest = {
    operation,
    caller: asha,
    method: 'GET',
    path: '/files',
    target: '/files',
    query: [],
    headers: [],
    body: undefined,
    framing: 'length',
    sentShare: undefined,
    isIllFormed: false,
    changes: [],
    bytes: Buffer.from('GET /files'),
    isWhole: true,
  }
  const { status, body, headers = securityHeaders } = answer
  return openFuzzJudge(document, world).complaints(request, {
    kind: 'answered',
    answer: { status, body: Buffer.from(body), headers: new Map(headers), isOpen: false },
    rest: '',
  })
}

for (const [what, answer, complaint] of [
  ['a fault of ours', { status: 500, body: '{}' }, /500/],
  ['a status that is not documented', { status: 418, body: '{}' }, /not documented/],
  ["another user's id", { status: 200, body: theirFile }, /another user's/],
  ["another user's word", { status: 200, body: 'secret-of-bela.wav' }, /is told/],
  ['a stack', { status: 401, body: 'Error\n    at open (node:fs:1)' }, /our inside/],
  ['an answer without security headers', { status: 200, body: '', headers: [] }, /no x-frame-options/],
] as const)
  test(`the fuzzer complains about ${what}`, (t) => {
    t.regex(complaintsAbout(answer).join(), complaint)
  })

test('the fuzzer has nothing against a proper answer', (t) => {
  t.deepEqual(complaintsAbout({ status: 200, body: '{}' }), [])
})
