import type { ToolDefinition } from '../../actors/conversation/ports.ts'
import { anUtterance, fillObject, schemaSchema } from './fill.ts'
import type { Filled, ToolSchema } from './fill.ts'
import { conceptOf, emptyWords } from './lexicon.ts'
import { agentWords, wordsOfName } from './words.ts'

export interface ChosenTool {
  readonly tool: ToolDefinition
  readonly schema: ToolSchema
  readonly filled: Filled
}

/** How much a word of the utterance counts where it is found. */
const weights = { name: 3, enum: 3, property: 1.5, description: 1 } as const
/** A word of the tool's name, or as much elsewhere: less is chance. */
const enough = 3

/** The tool that an utterance asks for, with its arguments; nothing when none fits. */
export function chooseTool(
  text: string,
  tools: readonly ToolDefinition[],
  input: { readonly todayMs: number; readonly must: boolean },
): ChosenTool | undefined {
  const concepts = new Set(meaningful(agentWords(text)).map(conceptOf))
  let best: { tool: ToolDefinition; schema: ToolSchema; score: number } | undefined
  for (const tool of tools) {
    const schema = schemaSchema.safeParse(tool.parameters).data ?? {}
    const score = scoreOf(concepts, tool, schema)
    if (!best || score > best.score) best = { tool, schema, score }
  }
  if (!best || (best.score < enough && !input.must)) return undefined
  const toolWords = new Set(
    meaningful([...wordsOfName(best.tool.name), ...agentWords(best.tool.description)]).map(conceptOf),
  )
  const filled = fillObject(best.schema, anUtterance(text, { todayMs: input.todayMs, toolWords }))
  return { tool: best.tool, schema: best.schema, filled }
}

function scoreOf(said: ReadonlySet<string>, tool: ToolDefinition, schema: ToolSchema): number {
  const properties = Object.entries(schema.properties ?? {})
  const places: readonly (readonly [number, readonly string[]])[] = [
    [weights.name, wordsOfName(tool.name)],
    [
      weights.enum,
      properties.flatMap(([, { enum: values = [] }]) => values.flatMap((one) => wordsOfName(String(one)))),
    ],
    [
      weights.property,
      properties.flatMap(([name, { description = '' }]) => [...wordsOfName(name), ...agentWords(description)]),
    ],
    [weights.description, agentWords(tool.description)],
  ]
  // a word counts once, where it counts most
  const counted = new Map<string, number>()
  for (const [weight, words] of places)
    for (const concept of meaningful(words).map(conceptOf))
      if (said.has(concept) && !counted.has(concept)) counted.set(concept, weight)
  return [...counted.values()].reduce((sum, weight) => sum + weight, 0)
}

function meaningful(words: readonly string[]): string[] {
  return words.filter((word) => !emptyWords.has(word) && !/^\d/.test(word))
}

/** Something of the right type where nothing was said, for a call that was demanded. */
export function demanded({ schema, filled }: ChosenTool): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = { ...filled.values }
  for (const name of filled.missing) values[name] = blankOf(schema.properties?.[name] ?? {})
  return values
}

function blankOf({ enum: values, default: fallback, type }: ToolSchema): unknown {
  if (fallback !== undefined) return fallback
  if (values && values.length > 0) return values[0]
  const named = typeof type === 'string' ? type : type?.[0]
  return Object.hasOwn(blanks, named ?? '') ? blanks[named!] : ''
}

const blanks: Readonly<Record<string, unknown>> = { integer: 0, number: 0, boolean: false, array: [], object: {} }
