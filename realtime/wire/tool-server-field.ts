import { z } from 'zod'

import type { ToolApproval, ToolServer } from '../../actors/conversation/ports.ts'
import type { SessionLimits } from '../session/limits.ts'

const urlCharacters = 2_048
const authorizationCharacters = 8_192
const approvalAdvice = `either 'always', 'never', or an object with lists of tool names, 'always' and 'never'`

/** A tool of type `mcp`: a server whose tools we call ourselves. Only those that whoever runs the service has named. */
export function toolServerField(limits: SessionLimits) {
  const name = z.string().min(1).max(limits.idCharacters)
  const names = z.array(name).max(limits.tools)
  const filter = z.strictObject({ tool_names: names.nullish() })
  return z
    .strictObject({
      type: z.literal('mcp'),
      server_label: z.string().regex(/^[a-zA-Z0-9_-]{1,32}$/, { error: 'a label is 1 to 32 letters, digits, _ or -' }),
      server_url: z
        .string()
        .max(urlCharacters)
        .refine((url) => isAmong(limits.toolServerOrigins, url), {
          error: 'no tool server of this origin may be called from here; MCP_SERVERS lists those that may',
        }),
      server_description: z.string().max(limits.toolCharacters).nullish(),
      authorization: z
        .string()
        .max(authorizationCharacters)
        .regex(/^[\x20-\x7e]+$/, { error: 'it has characters that no header may have' })
        .nullish(),
      allowed_tools: z.union([names, z.strictObject({ tool_names: names })]).nullish(),
      require_approval: z
        .union([z.enum(['always', 'never']), z.strictObject({ always: filter.nullish(), never: filter.nullish() })], {
          error: approvalAdvice,
        })
        .nullish(),
    })
    .transform(
      ({
        server_label: label,
        server_url: url,
        authorization,
        allowed_tools: allowed,
        require_approval: approval,
      }) => ({
        server: {
          label,
          url,
          ...(authorization ? { authorization } : {}),
          ...(allowed ? { allowed: Array.isArray(allowed) ? allowed : allowed.tool_names } : {}),
          ...approvalOf(approval),
        } satisfies ToolServer,
      }),
    )
}

type ApprovalWire = 'always' | 'never' | { readonly always?: Filter; readonly never?: Filter } | null | undefined
type Filter = { readonly tool_names?: readonly string[] | null | undefined } | null | undefined

/** Who says nothing is asked about everything. */
function approvalOf(wire: ApprovalWire): { readonly approval?: ToolApproval } {
  if (wire === 'never') return {}
  if (typeof wire !== 'object' || wire === null) return { approval: 'always' }
  const named = (filter: Filter): readonly string[] | undefined => filter?.tool_names ?? undefined
  return { approval: { always: named(wire.always), never: named(wire.never) } }
}

function isAmong(origins: readonly string[], url: string): boolean {
  if (!URL.canParse(url)) return false
  const { origin, username, password } = new URL(url)
  return origins.includes(origin) && username === '' && password === ''
}
