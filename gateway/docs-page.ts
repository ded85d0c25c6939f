/**
 * The OpenAPI document as a page: no script, no download, one style for light and dark. It reads the document, not the
 * routes, so that people and machines are told the same.
 */

interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly description: string; readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: Content }>>
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly required?: readonly string[]
}

export function docsPage(document: Record<string, unknown>): string {
  const { info, paths, components } = document as unknown as Document // as: openapi.ts made it
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(info.title)} API ${text(info.version)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${text(info.title)} <span lang="hi">वाक्</span> <small>API ${text(info.version)}</small></h1>
<p>${prose(info.description)}</p>
<p><a href="/openapi.json">openapi.json</a> is this page for machines.</p>
<p>The examples below can be pasted once the shell knows the address and a token:</p>
<pre><code>${text(shellSetup)}</code></pre>
</header>
<nav aria-label="Operations"><ul>
${operations.map(({ path, method, operation }) => `<li><a href="#${text(operation.operationId)}">${badge(method)} <code>${text(path)}</code></a> <span>${text(operation.summary)}</span></li>`).join('\n')}
</ul></nav>
<main>
${operations.map((one) => section(one, components.schemas)).join('\n')}
<h2 id="schemas">Bodies</h2>
${Object.entries(components.schemas)
  .map(([name, schema]) => `<section id="schema-${text(name)}"><h3>${text(name)}</h3>${fields(schema)}</section>`)
  .join('\n')}
</main>
</body>
</html>
`
}

interface Described {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

type Schemas = Document['components']['schemas']

function section(input: Described, schemas: Schemas): string {
  const { path, method, operation } = input
  const responses = Object.entries(operation.responses).map(
    ([status, { description, content }]) =>
      `<tr><td><code>${text(status)}</code></td><td>${bodies(content)}</td><td>${prose(description)}</td></tr>`,
  )
  return `<section id="${text(operation.operationId)}">
<h2>${badge(method)} <code>${text(path)}</code></h2>
<p><strong>${sentence(operation.summary)}</strong> ${prose(operation.description)}</p>
<pre><code>${text(curl(input, schemas))}</code></pre>
${table(
  ['Parameter', 'In', 'Type', 'Meaning'],
  operation.parameters.map(
    (one) =>
      `<tr><td><code>${text(one.name)}</code>${one.required ? ' <em>required</em>' : ''}</td><td>${text(one.in)}</td><td>${kind(one.schema)}</td><td>${prose(one.description ?? '')}</td></tr>`,
  ),
)}
${operation.requestBody ? `<p>Body: ${bodies(operation.requestBody.content)}. ${prose(operation.requestBody.description)}</p>` : ''}
${table(['Status', 'Body', 'Meaning'], responses)}
</section>`
}

function fields(schema: Schema): string {
  if (schema.anyOf) return `<p>${kind(schema)}</p>`
  const required = new Set(schema.required)
  return table(
    ['Field', 'Type', 'Meaning'],
    Object.entries(schema.properties ?? {}).map(
      ([name, field]) =>
        `<tr><td><code>${text(name)}</code>${required.has(name) ? '' : ' <em>optional</em>'}</td><td>${kind(field)}</td><td>${prose(field.description ?? '')}</td></tr>`,
    ),
  )
}

function table(columns: readonly string[], rows: readonly string[]): string {
  if (rows.length === 0) return ''
  const head = columns.map((column) => `<th scope="col">${text(column)}</th>`).join('')
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

function bodies(content: Content): string {
  return Object.entries(content)
    .map(([type, { schema }]) => (type === 'application/json' ? kind(schema) : `<code>${text(type)}</code>`))
    .join(', ')
}

function kind(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return `<a href="#schema-${text(name)}">${text(name)}</a>`
  }
  if (schema.enum) return schema.enum.map((value) => `<code>${text(JSON.stringify(value))}</code>`).join(' ')
  if (schema.const !== undefined) return `<code>${text(JSON.stringify(schema.const))}</code>`
  if (schema.anyOf) return schema.anyOf.map(kind).join(' or ')
  if (schema.items) return `list of ${kind(schema.items)}`
  const range =
    schema.minimum === undefined || schema.maximum === undefined ? '' : ` ${schema.minimum}–${schema.maximum}`
  const preset = schema.default === undefined ? '' : `, default ${text(JSON.stringify(schema.default))}`
  return `${text([schema.type ?? 'any'].flat().join(' or '))}${range}${preset}`
}

function curl({ path, method, operation }: Described, schemas: Schemas): string {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)
  const lines = [`curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"$VAAK_URL${address}"`]
  const [opens] = operation.security
  if (opens) lines.push(`-H "Authorization: Bearer $${'link' in opens ? 'SHARE_LINK' : 'VAAK_TOKEN'}"`)
  const body = operation.requestBody?.content
  if (body?.['application/sdp']) lines.push('-H "Content-Type: application/sdp"', '--data-binary @offer.sdp')
  else if (body?.['multipart/form-data']) lines.push('-F files=@one.wav', '-F files=@two.mp3')
  const json = body?.['application/json']?.schema
  if (json) lines.push('-H "Content-Type: application/json"', `-d '${JSON.stringify(exampleOf(json, schemas))}'`)
  return lines.join(' \\\n  ')
}

function exampleOf(schema: Schema, schemas: Schemas): unknown {
  const meant = schema.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1) ?? '']
  return meant?.examples?.[0] ?? {}
}

function sentence(input: string): string {
  return text(/[.?!]$/.test(input) ? input : `${input}.`)
}

function badge(method: string): string {
  return `<b class="method ${text(method)}">${text(method.toUpperCase())}</b>`
}

/** Text with `code` in back-ticks. */
function prose(input: string): string {
  return text(input).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}

function text(input: string): string {
  return input.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

const shellSetup = `export VAAK_URL=http://localhost:8080
export VAAK_TOKEN=…  # from your identity provider; while developing: npx vaak token --user NAME`

const style = `
:root { color-scheme: light dark; --ink: #1d2433; --paper: #fbfaf7; --line: #ddd8cc; --soft: #f1eee6; --link: #9a3412; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e6df; --paper: #16181d; --line: #333842; --soft: #20242c; --link: #fdba74; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem; font: 16px/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
h1 small { font-weight: 400; font-size: 1rem; opacity: .7; }
h2 { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 1.25rem; }
a { color: var(--link); }
nav ul { list-style: none; padding: 0; }
nav li { padding: .25rem 0; }
nav a { text-decoration: none; }
nav span { opacity: .75; margin-left: .5rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .875em; }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; overflow-x: auto; }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); }
td:first-child code { white-space: nowrap; }
em { opacity: .7; font-size: .85em; }
.method { display: inline-block; min-width: 4.5rem; text-align: center; border-radius: .35rem; padding: .05rem .4rem; font-size: .8rem; color: #fff; background: #4b5563; }
.method.get { background: #1d4ed8; } .method.post { background: #15803d; } .method.patch { background: #a16207; } .method.delete { background: #b91c1c; }
`
