import { z } from 'zod'

import type { ToolChoice, ToolDefinition } from '../../actors/conversation/ports.ts'
import type { SessionLimits } from '../session/limits.ts'
import { isJsonObject } from './json-object.ts'
import { oneOf } from './refusal.ts'
import { complaintAboutTool } from './tool-schema.ts'

/** The tools that a session or a response may call. */
export function toolsField(limits: SessionLimits) {
  return z.array(toolField(limits)).max(limits.tools).check(namesDiffer, areShort(limits.toolCharacters))
}

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

function namesDiffer({ value, issues }: z.core.ParsePayload<ToolDefinition[]>): void {
  const names = new Set<string>()
  for (const [index, { name }] of value.entries()) {
    if (names.has(name))
      issues.push({ code: 'custom', path: [index, 'name'], input: value, message: `there are two tools '${name}'` })
    names.add(name)
  }
}

function areShort(most: number) {
  return ({ value, issues }: z.core.ParsePayload<ToolDefinition[]>): void => {
    if (JSON.stringify(value).length > most)
      issues.push({ code: 'custom', input: value, message: `all tools together are longer than ${most} characters` })
  }
}
