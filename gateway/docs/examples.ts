import { pieceType } from '../resumable/tus.ts'
import type { DocumentedOperation, PlacedOperation } from './document.ts'
import { recording } from './request-forms.ts'
import type { RequestBody } from './request-forms.ts'
import { sampleOf } from './sample.ts'

/** How to call an operation, to be pasted: addresses and tokens are in the environment. */

export const exampleLanguages = [
  { id: 'curl', title: 'curl', write: curl },
  { id: 'node', title: 'Node', write: node },
  { id: 'python', title: 'Python', write: python },
] as const

const answered = 'answer.wav'

/** What it answers is to be kept and not to be read. */
function answersAudio({ responses }: DocumentedOperation): boolean {
  return Object.entries(responses).some(
    ([status, { content }]) => status === '200' && Object.keys(content)[0]?.startsWith('audio/'),
  )
}

function inLines(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
}

const idInBody = /(?<="(\w+)": (?:\[\s*)?)"[0-9a-f]{8}-[0-9a-f-]{27}"/g

/** Ids are of what the reader has: in a body as in an address they come from the environment. */
function withIds(body: string, fill: (variable: string) => string): string {
  return body.replaceAll(idInBody, (_, field: string) => {
    const name = field.replace(/s$/, '')
    return fill((name.endsWith('_id') ? name : `${name}_id`).toUpperCase())
  })
}

/** The variable with what opens it. */
export function openedBy({ security: [opens] }: DocumentedOperation): string | undefined {
  return opens && ('link' in opens ? 'SHARE_LINK' : 'VAAK_TOKEN')
}

/** Those that the request must have, with the type of its body. */
function headersOf({ operation }: PlacedOperation, body: RequestBody): [name: string, value: string][] {
  const needed = operation.parameters.filter((one) => one.in === 'header' && one.required)
  const types = { json: 'application/json', sdp: 'application/sdp', bytes: pieceType, form: '', none: '' }
  const headers = needed.map(({ name, schema }): [string, string] => [name, String(sampleOf(schema, { schemas: {} }))])
  return types[body.kind] === '' ? headers : [['Content-Type', types[body.kind]], ...headers]
}

/** With what must be asked for, and with its places taken from the environment. */
function addressOf({ path, operation }: PlacedOperation, fill: (variable: string) => string): string {
  const asked = operation.parameters.filter((one) => one.in === 'query' && one.required)
  const query = new URLSearchParams(
    Object.fromEntries(asked.map(({ name, schema }) => [name, String(sampleOf(schema, { schemas: {} }))])),
  )
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => fill(name.toUpperCase()))
  return asked.length === 0 ? filled : `${filled}?${query.toString()}`
}

function curl(placed: PlacedOperation, body: RequestBody): string {
  const { method, operation } = placed
  const address = addressOf(placed, (variable) => `$${variable}`)
  const lines = [`curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"$VAAK_URL${address}"`]
  const opener = openedBy(operation)
  if (opener !== undefined) lines.push(`-H "Authorization: Bearer $${opener}"`)
  lines.push(...headersOf(placed, body).map(([name, value]) => `-H "${name}: ${value}"`))
  if (body.kind === 'sdp') lines.push('--data-binary @offer.sdp')
  if (body.kind === 'bytes') lines.push(`--data-binary @${recording}`)
  if (body.kind === 'json') {
    const quoted = inLines(body.value).replaceAll("'", String.raw`'\''`)
    lines.push(`-d '${withIds(quoted, (variable) => `"'"$${variable}"'"`)}'`)
  }
  if (body.kind === 'form')
    lines.push(
      `-F ${body.field}=@${recording}`,
      ...body.others.map(([name, value]) => `-F ${inShell(`${name}=${value}`)}`),
    )
  if (answersAudio(operation)) lines.push(`-o ${answered}`)
  return lines.join(' \\\n  ')
}

function inShell(argument: string): string {
  return /^[\w.=-]+$/.test(argument) ? argument : `'${argument}'`
}

function node(placed: PlacedOperation, body: RequestBody): string {
  const { method, operation } = placed
  const opener = openedBy(operation)
  const headers = [
    ...(opener === undefined ? [] : [`Authorization: \`Bearer \${process.env.${opener}}\``]),
    ...headersOf(placed, body).map(([name, value]) => `'${name}': '${value}'`),
  ]
  const before: string[] = []
  const given: string[] = []
  if (method !== 'get') given.push(`method: '${method.toUpperCase()}'`)
  if (headers.length > 0) given.push(`headers: { ${headers.join(', ')} }`)
  if (body.kind === 'json') {
    const value = withIds(inLines(body.value), (variable) => `process.env.${variable}`)
    given.push(`body: JSON.stringify(${value.replaceAll('\n', '\n  ')})`)
  }
  if (body.kind === 'sdp') given.push("body: await readFile('offer.sdp')")
  if (body.kind === 'bytes') given.push(`body: await readFile('${recording}')`)
  if (body.kind === 'form') {
    before.push('const body = new FormData()')
    before.push(`body.append('${body.field}', new Blob([await readFile('${recording}')]), '${recording}')`)
    for (const [name, value] of body.others) before.push(`body.append('${name}', '${value}')`)
    given.push('body')
  }
  const address = addressOf(placed, (variable) => `\${process.env.${variable}}`)
  const isAudio = answersAudio(operation)
  const imported = [
    ...(['form', 'sdp', 'bytes'].includes(body.kind) ? ['readFile'] : []),
    ...(isAudio ? ['writeFile'] : []),
  ]
  return [
    ...(imported.length > 0 ? [`import { ${imported.join(', ')} } from 'node:fs/promises'`, ''] : []),
    ...before,
    `const answer = await fetch(\`\${process.env.VAAK_URL}${address}\`, {`,
    ...given.map((one) => `  ${one},`),
    '})',
    'if (!answer.ok) throw new Error(await answer.text())',
    isAudio
      ? `await writeFile('${answered}', Buffer.from(await answer.arrayBuffer()))`
      : 'console.log(await answer.text())',
  ].join('\n')
}

function python(placed: PlacedOperation, body: RequestBody): string {
  const { method, operation } = placed
  const opener = openedBy(operation)
  const address = addressOf(placed, (variable) => `{os.environ['${variable}']}`)
  const headers = [
    ...(opener === undefined ? [] : [`"Authorization": f"Bearer {os.environ['${opener}']}"`]),
    ...headersOf(placed, body).map(([name, value]) => `"${name}": "${value}"`),
    ...(body.kind === 'form' ? ['"Content-Type": "multipart/form-data; boundary=part"'] : []),
  ]
  const data = {
    none: [],
    json: body.kind === 'json' ? [`data = ${pythonText(inLines(body.value))}.encode()`] : [],
    sdp: ['data = open("offer.sdp", "rb").read()'],
    bytes: [`data = open("${recording}", "rb").read()`],
    form: body.kind === 'form' ? pythonForm(body) : [],
  }[body.kind]
  return [
    'import os, urllib.request',
    '',
    ...data,
    'request = urllib.request.Request(',
    `    f"{os.environ['VAAK_URL']}${address}",`,
    `    method="${method.toUpperCase()}",`,
    `    headers={${headers.join(', ')}},`,
    ...(body.kind === 'none' ? [] : ['    data=data,']),
    ')',
    'with urllib.request.urlopen(request) as answer:',
    answersAudio(operation)
      ? `    open("${answered}", "wb").write(answer.read())`
      : '    print(answer.read().decode())',
  ].join('\n')
}

function pythonText(json: string): string {
  const filled = withIds(json, (variable) => `"''' + os.environ['${variable}'] + r'''"`)
  return filled === json ? `r'''${json}'''` : `(r'''${filled}''')`
}

/** Without a library, as everything else here. */
function pythonForm({ field, others }: Extract<RequestBody, { kind: 'form' }>): string[] {
  const texts = others.map(
    ([name, value]) =>
      String.raw`data += '--part\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n'.encode()`,
  )
  return [
    'data = b""',
    ...texts,
    String.raw`data += b'--part\r\nContent-Disposition: form-data; name="${field}"; filename="${recording}"\r\n\r\n'`,
    String.raw`data += open("${recording}", "rb").read() + b"\r\n--part--\r\n"`,
  ]
}
