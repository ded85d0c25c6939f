import { z } from 'zod'

import { terminal } from '../actors/failure.ts'

/**
 * Refuses a list for its length before anybody looks at its entries: a schema looks at each of them first, and two hundred
 * thousand wrong ones cost seconds. Lists that are named at the top of a body, which all of ours are.
 */
export function refuseLongLists(part: string, schema: z.ZodType, value: unknown): void {
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return
  for (const [name, list] of Object.entries(value)) {
    const limit = Array.isArray(list) && Object.hasOwn(schema.shape, name) ? limitOf(schema.shape[name]) : undefined
    if (limit && list.length > limit.most)
      throw terminal('invalid_request', `${part}.${name}: ${limit.complaint(list.length)}`)
  }
}

interface Limit {
  readonly most: number
  complaint(length: number): string
}

function limitOf(field: unknown): Limit | undefined {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodNullable)
    return limitOf(field.unwrap())
  const checks = field instanceof z.ZodArray ? (field.def.checks ?? []) : []
  for (const { _zod: check } of checks) {
    const limit: object & { error?: unknown } = check.def
    if (!('check' in limit && limit.check === 'max_length' && 'maximum' in limit)) continue
    const most = Number(limit.maximum)
    const own: unknown = typeof limit.error === 'function' ? limit.error({ maximum: most }) : undefined
    const complaint = (length: number): string =>
      typeof own === 'string' ? own : `has ${length} entries, and the limit is ${most}`
    return { most, complaint }
  }
  return undefined
}
