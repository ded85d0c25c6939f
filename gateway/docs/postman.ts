import { groupsIn } from './document.ts'
import type { DocumentedApi, DocumentedSchema, DocumentedSchemas, PlacedOperation } from './document.ts'
import { openedBy } from './examples.ts'
import { requestForms } from './request-forms.ts'
import { sampleOf } from './sample.ts'

const format = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/** Everything as a collection that Postman and Bruno import. The address, which is where the reader found us, and the token are its variables. */
export function postmanCollection(document: DocumentedApi, address: string): Record<string, unknown> {
  const { info, components } = document
  return {
    info: { name: `${info.title} ${info.version}`, description: info.description, schema: format },
    auth: bearer('VAAK_TOKEN'),
    variable: [
      { key: 'VAAK_URL', value: address },
      { key: 'VAAK_TOKEN', value: '' },
      { key: 'SHARE_LINK', value: '' },
    ],
    item: groupsIn(document).map(({ title, operations }) => ({
      name: title,
      item: operations.map((placed) => requestOf(placed, components.schemas)),
    })),
  }
}

function bearer(variable: string): object {
  return { type: 'bearer', bearer: [{ key: 'token', value: `{{${variable}}}`, type: 'string' }] }
}

function requestOf(placed: PlacedOperation, schemas: DocumentedSchemas): object {
  const { path, method, operation } = placed
  const { parameters, summary, description } = operation
  const inQuery = parameters.filter((one) => one.in === 'query')
  const opener = openedBy(operation)
  const folders = path.slice(1).split('/')
  return {
    name: summary,
    request: {
      method: method.toUpperCase(),
      description,
      auth: opener === undefined ? { type: 'noauth' } : bearer(opener),
      header: parameters
        .filter((one) => one.in === 'header' && one.required)
        .map(({ name, schema }) => ({ key: name, value: String(sampleOf(schema, { schemas })) })),
      url: {
        raw: `{{VAAK_URL}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        host: ['{{VAAK_URL}}'],
        path: folders.map((folder) => folder.replace(/^\{(\w+)\}$/, ':$1')),
        variable: parameters
          .filter((one) => one.in === 'path')
          .map(({ name, description: about = '' }) => ({ key: name, value: '', description: about })),
        // optional ones are there to be switched on
        query: inQuery.map(({ name, required, schema, description: about = '' }) => ({
          key: name,
          value: usualOf(schema),
          description: about,
          disabled: !required,
        })),
      },
      ...bodyOf(placed, schemas),
    },
  }
}

function usualOf({ default: preset, enum: choices }: DocumentedSchema): string {
  const value = preset ?? choices?.[0]
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function bodyOf(placed: PlacedOperation, schemas: DocumentedSchemas): object {
  const [{ body }] = requestForms(placed, schemas)
  switch (body.kind) {
    case 'none':
      return {}
    case 'sdp':
    case 'bytes':
      return { body: { mode: 'file', file: { src: null } } }
    case 'json':
      return {
        body: {
          mode: 'raw',
          raw: JSON.stringify(body.value, undefined, 2),
          options: { raw: { language: 'json' } },
        },
      }
    case 'form':
      return {
        body: {
          mode: 'formdata',
          formdata: [
            ...body.others.map(([key, value]) => ({ key, value, type: 'text' })),
            { key: body.field, type: 'file', src: null },
          ],
        },
      }
  }
}
