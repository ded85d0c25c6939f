import type { ExecutionContext } from 'ava'
import { Ajv2020 } from 'ajv/dist/2020.js'

/** A client that holds every answer against what the server's own OpenAPI document promises for it. */
export interface Api {
  readonly url: string
  get(path: string, options?: RequestOptions): Promise<ApiAnswer>
  post(path: string, options?: RequestOptions): Promise<ApiAnswer>
  put(path: string, options?: RequestOptions): Promise<ApiAnswer>
  patch(path: string, options?: RequestOptions): Promise<ApiAnswer>
  delete(path: string, options?: RequestOptions): Promise<ApiAnswer>
  /** The same server as another user, or as nobody. */
  as(token: string | undefined): Api
}

interface RequestOptions {
  readonly json?: unknown
  readonly body?: FormData | Uint8Array | string
  readonly headers?: Record<string, string>
}

export interface ApiAnswer {
  readonly status: number
  readonly headers: Headers
  // oxlint-disable-next-line typescript/no-explicit-any -- the schema was checked; tests read fields as they are documented
  readonly body: any
}

interface Document {
  readonly paths: Record<string, Record<string, { responses: Record<string, unknown> }>>
}

const noContent = 204

interface ApiPromises {
  readonly document: Document
  readonly ajv: Ajv2020
}

const promises = new Map<string, Promise<ApiPromises>>()
const understood = new Map<string, ApiPromises>()

interface PromisingServer {
  readonly url: string
  /** The same for all servers that promise the same; absent: each promises for itself. */
  readonly kind?: string
}

/** What the server at this address promises; asked once for all tests of a file. */
function promisesOf({ url, kind = url }: PromisingServer): Promise<ApiPromises> {
  const read = async (): Promise<ApiPromises> => {
    const text = await (await fetch(`${url}/openapi.json`)).text()
    const known = understood.get(text) ?? understand(text)
    understood.set(text, known)
    return known
  }
  const known = promises.get(kind) ?? read()
  promises.set(kind, known)
  return known
}

/** Compiled as seldom and as quickly as can be: each schema is used a few times, and checks the same either way. */
const quick = { inlineRefs: false, code: { optimize: false } }

/** Much work, and the next server of a test most often promises the same. */
function understand(text: string): ApiPromises {
  const document = JSON.parse(text) as Document & object
  // that the document itself is well formed is a test of its own
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, meta: false, ...quick })
  ajv.addSchema(document, 'api')
  return { document, ajv }
}

export async function openApi(t: ExecutionContext, server: PromisingServer, token?: string): Promise<Api> {
  const { document, ajv } = await promisesOf(server)

  const check: Check = (method, path, answer) => {
    const documented = Object.keys(document.paths).find((template) => matches(template, path))
    if (documented === undefined) return
    const responses = document.paths[documented]?.[method.toLowerCase()]?.responses
    if (!responses) return
    t.truthy(responses[answer.status], `${method} ${documented} answered ${answer.status}, which is not documented`)
    if (answer.status === noContent) return
    const pointer = ['paths', documented, method.toLowerCase(), 'responses', String(answer.status), 'content']
    const type = answer.headers.get('content-type')?.split(';')[0] ?? ''
    const schema = [...pointer, type, 'schema']
      .map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
      .join('/')
    const validate = ajv.getSchema(`api#/${schema}`)
    if (!validate) return t.fail(`${method} ${documented} ${answer.status} has no schema for ${type}`)
    t.true(validate(answer.body), `${method} ${documented} ${answer.status}: ${ajv.errorsText(validate.errors)}`)
  }

  return apiAt(server.url, token, check)
}

type Check = (method: string, path: string, answer: ApiAnswer) => void

/** The same without looking at what is promised, unless `check` does. */
export function apiAt(url: string, token?: string, check: Check = () => undefined): Api {
  const withToken = (bearer: string | undefined): Api => {
    const send = async (method: string, path: string, options: RequestOptions = {}): Promise<ApiAnswer> => {
      const response = await fetch(url + path, {
        method,
        headers: {
          ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
          ...(options.json !== undefined && { 'Content-Type': 'application/json' }),
          ...options.headers,
        },
        ...(options.json !== undefined && { body: JSON.stringify(options.json) }),
        ...(options.body !== undefined && { body: options.body }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
      const answer = { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
      check(method, path.split('?')[0] ?? '', answer)
      return answer
    }
    return {
      url,
      get: (path, options) => send('GET', path, options),
      post: (path, options) => send('POST', path, options),
      put: (path, options) => send('PUT', path, options),
      patch: (path, options) => send('PATCH', path, options),
      delete: (path, options) => send('DELETE', path, options),
      as: withToken,
    }
  }
  return withToken(token)
}

export interface UploadPart {
  readonly name: string
  readonly content: Uint8Array
  readonly type?: string
}

export function uploadForm(...parts: readonly UploadPart[]): FormData {
  const form = new FormData()
  for (const { name, content, type = 'application/octet-stream' } of parts)
    form.append('files', new File([content], name, { type }))
  return form
}

function matches(template: string, path: string): boolean {
  return new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)
}
