import type { z } from 'zod'

import type { ConversationModel } from '../../actors/conversation/ports.ts'
import { terminal } from '../../actors/failure.ts'

interface JsonRequest<Value> {
  /** Ours alone: nothing that somebody else wrote is in it. */
  readonly instructions: string
  /** What others wrote, sent as one JSON document: nothing in it can end it. */
  readonly document: object
  readonly form: z.ZodType<Value>
  /** For people: what it was asked for. */
  readonly what: string
  readonly signal: AbortSignal
}

const triesMax = 3
const tokensMax = 4_000
/** More than any answer that is asked for. */
const answerCharactersMax = 64_000
const onceMore = 'Your last answer was not one JSON object of this form. Answer with that object and nothing else.'

/** A model that answers with something else is asked again, a few times; then that is an outcome. */
export async function askForJson<Value>(model: ConversationModel, request: JsonRequest<Value>): Promise<Value> {
  const { instructions, document, form, what, signal } = request
  for (let tries = 0; tries < triesMax; tries += 1) {
    const asked = tries === 0 ? instructions : `${instructions}\n\n${onceMore}`
    const { success, data } = form.safeParse(objectIn(await textOf(model, { asked, document, signal })))
    if (success) return data
  }
  throw terminal(
    'remote_refused',
    `The chat model answered ${triesMax} times with something that is not ${what}. Ask again, or have the operator choose another LLM_MODEL.`,
  )
}

async function textOf(
  model: ConversationModel,
  input: { readonly asked: string; readonly document: object; readonly signal: AbortSignal },
): Promise<string> {
  let text = ''
  const request = {
    instructions: input.asked,
    turns: [{ kind: 'said', by: 'user', text: JSON.stringify(input.document) }],
    tools: [],
    toolChoice: 'none',
    tokensMax,
  } as const
  for await (const part of model.answer(request, input.signal)) {
    if (part.kind === 'text') text += part.delta
    if (text.length > answerCharactersMax) return ''
  }
  return text
}

/** Models like to put a fence around it, or a word before it. */
function objectIn(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  } catch {
    return undefined
  }
}
