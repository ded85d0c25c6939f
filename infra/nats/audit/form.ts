import { isIP } from 'node:net'

import { z } from 'zod'

import type { AuditEvent } from '../../../actors/audit/ports.ts'

const objectsMax = 20
const idForm = /^[\w-]{1,64}$/
const wordForm = /^[a-zA-Z][\w -]{0,63}$/

/**
 * Every field has a closed form and a length: what does not fit is a `?`, so that nothing a client made up is stored, and
 * nobody who reads the log is told a lie by it.
 */
export function auditText({ who, keyId, linkId, what, objects, from, status, requestId }: AuditEvent): string {
  return JSON.stringify({
    who: fitting(who, idForm),
    ...(keyId !== undefined && { keyId: fitting(keyId, idForm) }),
    ...(linkId !== undefined && { linkId: fitting(linkId, idForm) }),
    what: fitting(what, wordForm),
    objects: objects.slice(0, objectsMax).map((id) => fitting(id, idForm)),
    ...(objects.length > objectsMax && { more: objects.length - objectsMax }),
    from: isIP(from) === 0 ? '' : from,
    status: Number.isInteger(status) ? status : 0,
    ...(requestId !== undefined && { requestId: fitting(requestId, idForm) }),
  })
}

const storedSchema = z.object({
  who: z.string(),
  keyId: z.string().optional(),
  linkId: z.string().optional(),
  what: z.string(),
  objects: z.array(z.string()),
  more: z.number().optional(),
  from: z.string(),
  status: z.number(),
  requestId: z.string().optional(),
})

export type StoredAuditEvent = z.output<typeof storedSchema>

/** Nothing when it is of another form. */
export function readAuditText(content: unknown): StoredAuditEvent | undefined {
  return storedSchema.safeParse(content).data
}

function fitting(text: string, form: RegExp): string {
  return form.test(text) ? text : '?'
}
