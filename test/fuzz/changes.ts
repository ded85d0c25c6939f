import { multipartBoundary } from '../support/multipart.ts'
import { encoded } from './draft.ts'
import type { Draft, Making } from './draft.ts'
import { damagedJson, oddNumbers, oddTexts, someBytes } from './odd-values.ts'

/** One thing that is done to a proper request. Each has a name, so that a report can say what was tried. */
type Change = (draft: Draft, making: Making) => void

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'get', 'NONSENSE']
const types = [
  '',
  'text/plain',
  'application/json; charset=utf-16',
  'application/xml',
  'multipart/form-data',
  'a/b;c="',
]
const jsonTexts = ['', '{', 'null', '[]', '"x"', '{"file_ids":[]}', '{"a":1,"a":2}', "{'a':1}", '{"a":1e999}', 'NaN']

export const changes: Readonly<Record<string, Change>> = {
  'another method': (draft, { random }) => {
    draft.method = random.pick(methods)
    draft.isIllFormed ||= !/^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE|PROPFIND)$/.test(draft.method)
  },
  'another path': (draft, { random }) => {
    const odd = encoded(random.pick(oddTexts))
    draft.path = random.pick([
      `${draft.path}/`,
      `${draft.path}/${odd}`,
      `/${draft.path}`,
      draft.path.toUpperCase(),
      draft.path.replace(/[^/]*$/, odd),
      draft.path.replaceAll('/', '%2F'),
      draft.path.replace('/', '/./'),
      `/files/upload/../..${draft.path}`,
      `${draft.path};v=1`,
      `${draft.path}%`,
      `${draft.path}%ff`,
      `http://evil.example${draft.path}`,
    ])
  },
  'bytes in the path': (draft, { random }) => {
    draft.path += random.pick(['\u0001', '\u007F', ' x', 'नमस्ते', '\t', '\\..'])
    draft.isIllFormed = true
  },
  'an odd query': (draft, { random }) => {
    const name = encoded(random.pick([...draft.operation.parameters.map((one) => one.name), ...oddTexts]))
    draft.query.push(
      random.pick([name, `${name}=`, `${name}=${encoded(random.pick(oddTexts))}`, '&&', '=', '%', '%ff=%ff']),
    )
  },
  'an odd number in the query': (draft, { random }) => {
    draft.query.push(`${random.pick(['page', 'limit'])}=${encoded(random.pick(oddNumbers))}`)
  },
  'a query twice': (draft) => void draft.query.push(...draft.query),
  'no token': (draft) => {
    draft.headers = draft.headers.filter(([name]) => name !== 'Authorization')
  },
  'a spoilt token': (draft, { random, world }) => {
    const { token } = random.pick(world.people)
    const at = random.below(token.length - 1)
    const spoilt = random.pick([
      token.slice(0, at),
      `${token}.${token}`,
      token.toUpperCase(),
      `${token.slice(0, at)}!${token.slice(at + 1)}`,
      `eyJhbGciOiJub25lIn0.${token.split('.')[1] ?? ''}.`,
      'x'.repeat(9_000),
    ])
    replaceHeader(draft, 'Authorization', `${random.pick(['Bearer', 'bearer', 'Basic', 'Bearer Bearer'])} ${spoilt}`)
  },
  'one more token': (draft, { random, world }) => {
    // never the only one: then the words of one user would be the other's own
    if (!draft.headers.some(([name]) => name === 'Authorization')) return
    draft.headers.push(['Authorization', `Bearer ${random.pick(world.people).token}`])
  },
  'an odd key': (draft, { random }) => {
    draft.headers.push([
      'Idempotency-Key',
      random.pick(['', 'x y', 'x'.repeat(256), 'é', '🎤', '*', '>', 'key-1', 'key-2']),
    ])
  },
  'a header twice': (draft, { random }) => {
    if (draft.headers.length === 0) return
    const [name, value] = random.pick(draft.headers)
    draft.headers.push([name, value])
    draft.isIllFormed ||= name === 'Host'
  },
  'odd headers': (draft, { random }) => {
    draft.headers.push(
      random.pick<[string, string]>([
        ['X-Forwarded-Host', 'evil.example'],
        ['X-Forwarded-For', '1.2.3.4, '.repeat(100)],
        ['Forwarded', 'host=evil.example;proto=gopher'],
        ['X-HTTP-Method-Override', 'DELETE'],
        ['X-Original-URL', '/files'],
        ['Range', 'bytes=0-1,5-,-9'],
        ['If-None-Match', '*'],
        ['Accept', 'application/xml;q=NaN'],
        ['Accept-Encoding', 'gzip, br, zstd'],
        ['Content-Encoding', 'gzip'],
        ['Cookie', '__proto__=1; a=b; '.repeat(50)],
        ['__proto__', 'x'],
        ['Connection', 'upgrade'],
        ['Upgrade', 'websocket'],
        ['Expect', '100-continue'],
        ['Expect', 'miracles'],
        ['X-Unicode', 'नमस्ते'],
        ['Origin', 'null'],
      ]),
    )
  },
  'many headers': (draft, { random }) => {
    for (let left = random.between(80, 300); left > 0; left -= 1) draft.headers.push([`X-${left}`, 'x'])
    draft.isIllFormed = true
  },
  'a huge header': (draft, { random }) => {
    draft.headers.push(['X-Huge', 'x'.repeat(random.between(10_000, 40_000))])
    draft.isIllFormed = true
  },
  'no host': (draft) => {
    draft.headers = draft.headers.filter(([name]) => name !== 'Host')
    draft.isIllFormed = true
  },
  'another host': (draft, { random }) =>
    replaceHeader(draft, 'Host', random.pick(['a@evil.example', '', '[::1', 'x:99999999'])),
  'ill-formed headers': (draft, { random }) => {
    draft.headers.push(
      random.pick<[string, string]>([
        ['X-Folded', 'one\r\n two'],
        ['X Space', 'x'],
        ['', 'x'],
        ['X-Nul', 'a\0b'],
        ['X-Bare', 'a\rb'],
        ['Transfer-Encoding', 'chunked, identity'],
        ['Transfer-Encoding', 'chunked'],
        ['Content-Length', '5'],
        ['Content-Length', '-1'],
      ]),
    )
    draft.isIllFormed = true
  },
  'damaged JSON': (draft, { random }) => {
    if (draft.json !== undefined) draft.json = damagedJson(draft.json, random)
  },
  'no JSON': (draft, { random }) => {
    draft.body = Buffer.from(random.pick(jsonTexts))
  },
  'bytes for a body': (draft, { random }) => {
    draft.body = someBytes(random, random.below(2_000))
  },
  'damaged bytes': (draft, { random }) => {
    const body = draft.body ?? Buffer.from(JSON.stringify(draft.json ?? {}))
    const at = random.below(body.length + 1)
    const insert = random.pick([
      '\r\n',
      '--',
      `\r\n--${multipartBoundary}`,
      `--${multipartBoundary}--`,
      '"',
      ';',
      '\0',
      'filename*=',
      '\uFEFF',
    ])
    draft.body = Buffer.concat([body.subarray(0, at), Buffer.from(insert), body.subarray(at + random.below(40))])
  },
  'another type': (draft, { random }) => replaceHeader(draft, 'Content-Type', random.pick(types)),
  'a body where none belongs': (draft) => {
    draft.body ??= Buffer.from('{"file_ids":["x"]}')
  },
  'broken off': (draft, { random }) => {
    draft.sentShare = random.next()
  },
}

function replaceHeader(draft: Draft, name: string, value: string): void {
  draft.headers = [...draft.headers.filter(([other]) => other !== name), [name, value]]
}
