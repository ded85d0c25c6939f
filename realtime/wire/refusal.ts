import type { ZodError } from 'zod'

/** Why an event was refused. The session lives on, and the client can tell what to change. */
export interface Refusal {
  readonly type: 'invalid_request_error' | 'rate_limit_error' | 'server_error'
  readonly code: string
  readonly message: string
  readonly param: string | null
}

export function refused(code: string, message: string, param: string | null = null): Refusal {
  return { type: 'invalid_request_error', code, message, param }
}

/** The first complaint of a schema, as the field's path and a sentence. */
export function refusedBy(error: ZodError, raw: unknown): Refusal {
  const issue = error.issues[0]!
  const path = nameOf(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const param = nameOf([...issue.path, shortened(issue.keys[0] ?? '')])
    return refused('unknown_parameter', `Unknown parameter: '${param}'.`, param)
  }
  if (valueAt(raw, issue.path) === undefined)
    return refused('missing_required_parameter', `Missing required parameter: '${path}'.`, path)
  return refused('invalid_value', `Invalid value for '${path}': ${issue.message}`, path)
}

const shownCharacters = 100

/** What a client wrote, short enough to be told back. */
export function shortened(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
}

export function oneOf(names: Iterable<string>): string {
  return `Supported values are: ${Array.from(names, (name) => `'${name}'`).join(', ')}.`
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, key) => {
    if (typeof key === 'number') return `${name}[${key}]`
    return name === '' ? String(key) : `${name}.${String(key)}`
  }, '')
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined,
    raw,
  )
}
