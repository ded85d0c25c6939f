import type { IncomingMessage } from 'node:http'

import { terminal } from '../actors/failure.ts'

/** In one pass, with every name: koa's own looks each name up among all others, and overlooks `__proto__`. */
export function queryOf(text: string): Record<string, string | string[] | undefined> {
  const values = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(text)) {
    const known = values.get(name)
    if (known) known.push(value)
    else values.set(name, [value])
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all]))
}

/** A header that was sent twice has no single meaning. */
export function single(request: IncomingMessage, name: string): string | undefined {
  const values = request.headersDistinct[name.toLowerCase()] ?? []
  if (values.length > 1) throw terminal('invalid_request', `The header ${name} was sent ${values.length} times.`)
  return values[0]
}
