import { z } from 'zod'

import type { ToolChoice, ToolDefinition, ToolServer } from '../../actors/conversation/ports.ts'
import type { SessionLimits } from '../session/limits.ts'
import { isJsonObject } from './json-object.ts'
import { oneOf } from './refusal.ts'
import { complaintAboutTool } from './tool-schema.ts'
import { toolServerField } from './tool-server-field.ts'

/** The tools that a session or a response may call: its client's, and those of tool servers where there may be any. */
export function toolsField(limits: SessionLimits) {
  const tool = toolField(limits)
  const server = limits.toolServerOrigins.length === 0 ? undefined : toolServerField(limits)
  const either = z.unknown().transform((value, context): AnyTool => {
    const isServer = server !== undefined && isJsonObject(value) && value['type'] === 'mcp'
    const parsed = (isServer ? server : tool).safeParse(value)
    if (parsed.success) return parsed.data
    // as: what zod found is what it takes
    for (const issue of parsed.error.issues) context.issues.push({ ...issue, input: value } as z.core.$ZodRawIssue)
    return z.NEVER
  })
  return z.array(either).max(limits.tools).check(namesDiffer(limits), areShort(limits.toolCharacters))
}

type AnyTool = ToolDefinition | { readonly server: ToolServer }

const choiceWords = ['auto', 'none', 'required'] as const
const toolName = /^[a-zA-Z0-9_-]{1,64}$/
const bareName = z.string().regex(toolName)

/** What was meant by a word that is none of ours: LiveKit forces a tool by its bare name. Whether there is one is asked later. */
interface BareToolChoice {
  readonly bareName: string
}

export const toolChoice = z
  .union(
    [
      z.enum(choiceWords),
      z.object({ type: z.literal('function'), name: z.string() }),
      z.object({ type: z.literal('function'), function: z.object({ name: z.string() }) }),
      bareName.transform((name): BareToolChoice => ({ bareName: name })),
    ],
    { error: choiceAdvice() },
  )
  .transform((choice): ToolChoice | BareToolChoice => {
    if (typeof choice === 'string' || 'bareName' in choice) return choice
    return { name: 'function' in choice ? choice.function.name : choice.name }
  })

export function choiceAdvice(): string {
  return `${oneOf(choiceWords)} Or an object of type 'function' with a name.`
}

function toolField(limits: SessionLimits) {
  return z
    .object({
      type: z.literal('function', { error: oneOf(['function']) }).default('function'),
      name: z.string().regex(toolName, { error: 'a name is 1 to 64 letters, digits, _ or -' }),
      description: z.string().max(limits.toolCharacters).nullish(),
      parameters: z.unknown().optional(),
    })
    .transform(({ name, description, parameters }, context): ToolDefinition => {
      const schema = parameters ?? { type: 'object', properties: {} }
      const complaint = complaintAboutTool(schema, limits.toolDepth)
      if (complaint) context.addIssue({ code: 'custom', path: ['parameters'], message: complaint })
      return { name, description: description ?? '', parameters: isJsonObject(schema) ? schema : {} }
    })
}

function namesDiffer({ toolServers }: SessionLimits) {
  return ({ value, issues }: z.core.ParsePayload<AnyTool[]>): void => {
    const names = new Set<string>()
    for (const [index, tool] of value.entries()) {
      const [field, name] = 'server' in tool ? ['server_label', tool.server.label] : ['name', tool.name]
      // a label and a name do not meet: only names are without a space
      const key = 'server' in tool ? `server ${name}` : name
      if (names.has(key))
        issues.push({ code: 'custom', path: [index, field], input: value, message: `there are two tools '${name}'` })
      names.add(key)
    }
    if (value.filter((tool) => 'server' in tool).length > toolServers)
      issues.push({ code: 'custom', input: value, message: `there are more than ${toolServers} tool servers` })
  }
}

function areShort(most: number) {
  return ({ value, issues }: z.core.ParsePayload<AnyTool[]>): void => {
    if (JSON.stringify(value).length > most)
      issues.push({ code: 'custom', input: value, message: `all tools together are longer than ${most} characters` })
  }
}
