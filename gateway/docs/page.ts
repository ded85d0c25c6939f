import { createHash } from 'node:crypto'

import { groupsIn, operationsIn, schemaNamed } from './document.ts'
import type {
  DocumentedContent,
  DocumentedApi,
  DocumentedSchema,
  DocumentedSchemas,
  PlacedOperation,
} from './document.ts'
import { exampleLanguages } from './examples.ts'
import { docsScript, docsStyle } from './look.ts'
import { requestForms } from './request-forms.ts'

/**
 * The OpenAPI document as a page: no download, one style for light and dark. It reads the document, not the routes, so that people and
 * machines are told the same.
 */

const hash = createHash('sha256').update(docsScript).digest('base64')
/** Of this page alone: its own script, by its hash, and nothing else. */
export const docsPolicy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** The address is where the reader found us. */
export function docsPage(document: DocumentedApi, address: string): string {
  const { info, components } = document
  const all = operationsIn(document)
  const formsMost = Math.max(...all.map((one) => requestForms(one, components.schemas).length))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(info.title)} API ${text(info.version)}</title>
<style>${docsStyle(formsMost)}</style>
</head>
<body>
<aside>
<p class="brand"><a href="/">${text(info.title)} <span lang="hi">वाक्</span></a> <small>API ${text(info.version)}</small></p>
<input id="find" type="search" placeholder="Search" aria-label="Search the operations" autocomplete="off">
<nav aria-label="Operations">
${groupsIn(document)
  .map(
    ({ title, operations }) => `<section><h2>${text(title)}</h2><ul>${operations.map(link).join('\n')}</ul></section>`,
  )
  .join('\n')}
<p id="nothing" hidden>No operation has these words.</p>
</nav>
</aside>
<main>
<header>
<h1>${text(info.title)} API</h1>
<p>${prose(info.description)}</p>
<p><a href="/openapi.json">openapi.json</a> is this page for machines, <a href="/docs/postman.json">postman.json</a> the same for Postman and Bruno.</p>
<p>The examples can be pasted once the shell knows the address and a token, and the ids that they name, such as <code>FILE_ID</code>:</p>
<pre><code>${text(shellSetup(address))}</code></pre>
<fieldset class="languages"><legend>Examples in</legend>
${exampleLanguages.map(({ id, title }, at) => `<label><input type="radio" name="language" id="in-${id}"${at === 0 ? ' checked' : ''}> ${text(title)}</label>`).join('\n')}
</fieldset>
</header>
${all.map((one) => section(one, components.schemas)).join('\n')}
<h2 id="schemas">Bodies</h2>
${Object.entries(components.schemas)
  .map(([name, schema]) => `<section id="schema-${text(name)}"><h3>${text(name)}</h3>${fields(schema)}</section>`)
  .join('\n')}
</main>
<script>${docsScript}</script>
</body>
</html>
`
}

function shellSetup(address: string): string {
  return `export VAAK_URL=${address}
export VAAK_TOKEN=…  # from your identity provider; while developing: npx vaak token --user NAME`
}

function link({ path, method, operation }: PlacedOperation): string {
  return `<li><a href="#${text(operation.operationId)}">${badge(method)} <span>${text(operation.summary)}</span> <code>${text(path).replaceAll('/', '<wbr>/')}</code></a></li>`
}

function section(input: PlacedOperation, schemas: DocumentedSchemas): string {
  const { path, method, operation } = input
  const responses = Object.entries(operation.responses).map(
    ([status, { description, content }]) =>
      `<tr><td><code>${text(status)}</code></td><td>${bodies(content)}</td><td>${prose(description)}${answersIn(content)}</td></tr>`,
  )
  return `<section id="${text(operation.operationId)}" class="operation">
<h2>${badge(method)} <code>${text(path)}</code></h2>
<p><strong>${sentence(operation.summary)}</strong> ${prose(operation.description)}</p>
${requests(input, schemas)}
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

/** In every language, and where there are several ways to ask, each of them. */
function requests(input: PlacedOperation, schemas: DocumentedSchemas): string {
  const forms = requestForms(input, schemas)
  const written = forms.map(({ id, body }, at) => {
    const examples = exampleLanguages.map(
      ({ id: language, title, write }) =>
        `<pre class="in-${language}" aria-label="${text(title)}" tabindex="0"><code>${text(write(input, body))}</code></pre>`,
    )
    return `<div class="form at-${at}" data-form="${text(id)}">${examples.join('\n')}</div>`
  })
  const choices = forms.map(
    ({ title }, at) =>
      `<label><input type="radio" name="form-${text(input.operation.operationId)}" class="pick-${at}"${at === 0 ? ' checked' : ''}> ${text(title)}</label>`,
  )
  const choice = `<fieldset class="choices"><legend>Example of</legend>${choices.join('\n')}</fieldset>`
  return [...(forms.length > 1 ? [choice] : []), ...written].join('\n')
}

/** Of all types that it may have, as far as there is something to see. */
function answersIn(content: DocumentedContent): string {
  return Object.entries(content)
    .flatMap(([type, { example, examples = {} }]) => {
      const alone = type === 'application/json' ? 'Example' : `Example: ${type}`
      const named = Object.values(examples).map(({ summary, value }) => folded(`Example: ${summary}`, value))
      return example === undefined ? named : [folded(alone, example)]
    })
    .join('')
}

function folded(title: string, value: unknown): string {
  const shown = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)
  return `<details><summary>${text(title)}</summary><pre><code>${text(shown)}</code></pre></details>`
}

function fields(schema: DocumentedSchema): string {
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
  return `<div class="wide" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

function bodies(content: DocumentedContent): string {
  return Object.entries(content)
    .map(([type, { schema }]) => (type === 'application/json' ? kind(schema) : `<code>${text(type)}</code>`))
    .join(', ')
}

function kind(schema: DocumentedSchema): string {
  if (schema.$ref !== undefined) {
    const name = schemaNamed(schema.$ref)
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
