import { setImmediate as breathe } from 'node:timers/promises'

import { z } from 'zod'

import { terminal } from '../actors/failure.ts'

/**
 * Lists of thousands, which are named at the top of a body, as all of ours are. A schema looks at every entry before it
 * complains about the length, and at every other entry after the first that is wrong: two hundred thousand wrong ones cost
 * seconds, in which nobody else is served.
 */

/** Refuses a list for its length before anybody looks at its entries. */
export function refuseLongLists(part: string, schema: z.ZodType, value: unknown): void {
  for (const { name, list, field } of listsIn(schema, value)) {
    const limit = limitOf(field)
    if (limit && list.length > limit.most)
      throw terminal('invalid_request', `${part}.${name}: ${limit.complaint(list.length)}`)
  }
}

/** Entries that are looked at in one go. */
const stride = 200

/**
 * Looks at the entries of long lists, a few at a time, and no further than `issuesMax` complaints. Gives them as the schema does, and
 * a schema for the rest, to which the entries are what they are.
 */
export async function readLongLists<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  issuesMax: number,
): Promise<ReadLists<Schema>> {
  const issues: z.core.$ZodIssue[] = []
  const read: (NamedList & { readonly entries: unknown[] })[] = []
  for (const { name, list, field } of listsIn(schema, value).filter(({ list: { length } }) => length > stride)) {
    const entries: unknown[] = []
    for (const [at, entry] of list.entries()) {
      if (at % stride === 0) await breathe()
      const parsed = z.safeParse(field.element, entry)
      if (parsed.success) entries.push(parsed.data)
      else issues.push(...parsed.error.issues.map((issue) => ({ ...issue, path: [name, at, ...issue.path] })))
      if (issues.length >= issuesMax) return { issues, isReadToEnd: false }
    }
    read.push({ name, list, field, entries })
  }
  if (issues.length > 0) return { issues, isReadToEnd: true }
  const entriesOf = Object.fromEntries(read.map(({ name, entries }) => [name, entries]))
  return {
    rest: { schema: blindTo(schema, read), value: read.length > 0 ? Object.assign({}, value, entriesOf) : value },
  }
}

type ReadLists<Schema> =
  | { readonly issues: readonly z.core.$ZodIssue[]; readonly isReadToEnd: boolean; readonly rest?: undefined }
  | { readonly issues?: undefined; readonly rest: { readonly schema: Schema; readonly value: unknown } }

/** The same schema, with nothing to say about the entries of these lists. */
function blindTo<Schema extends z.ZodType>(schema: Schema, lists: readonly NamedList[]): Schema {
  if (!(schema instanceof z.ZodObject) || lists.length === 0) return schema
  const blind = lists.map(({ name, field }) => [name, field.clone({ ...field.def, element: z.unknown() })] as const)
  return schema.clone({ ...schema.def, shape: { ...schema.shape, ...Object.fromEntries(blind) } })
}

interface NamedList {
  readonly name: string
  readonly list: readonly unknown[]
  readonly field: z.ZodArray
}

function listsIn(schema: z.ZodType, value: unknown): NamedList[] {
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, list]) => {
    const field = Array.isArray(list) && Object.hasOwn(schema.shape, name) ? listOf(schema.shape[name]) : undefined
    return field ? [{ name, list, field }] : []
  })
}

function listOf(field: unknown): z.ZodArray | undefined {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault || field instanceof z.ZodNullable)
    return listOf(field.unwrap())
  return field instanceof z.ZodArray ? field : undefined
}

interface Limit {
  readonly most: number
  complaint(length: number): string
}

function limitOf(field: z.ZodArray): Limit | undefined {
  for (const { _zod: check } of field.def.checks ?? []) {
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
