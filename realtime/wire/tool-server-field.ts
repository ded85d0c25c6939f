import { z } from 'zod'

import type { ToolServer } from '../../actors/conversation/ports.ts'
import type { SessionLimits } from '../session/limits.ts'

const urlCharacters = 2_048
const authorizationCharacters = 8_192
const noApproval = `approvals are not asked for here: only 'never'`

/** A tool of type `mcp`: a server whose tools we call ourselves. Only those that whoever runs the service has named. */
export function toolServerField(limits: SessionLimits) {
  const name = z.string().min(1).max(limits.idCharacters)
  const names = z.array(name).max(limits.tools)
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
      require_approval: z.literal('never', { error: noApproval }),
    })
    .transform(
      ({ server_label: label, server_url: url, authorization, allowed_tools: allowed }): { server: ToolServer } => ({
        server: {
          label,
          url,
          ...(authorization ? { authorization } : {}),
          ...(allowed ? { allowed: Array.isArray(allowed) ? allowed : allowed.tool_names } : {}),
        },
      }),
    )
}

function isAmong(origins: readonly string[], url: string): boolean {
  if (!URL.canParse(url)) return false
  const { origin, username, password } = new URL(url)
  return origins.includes(origin) && username === '' && password === ''
}
