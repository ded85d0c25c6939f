import { z } from 'zod'

import type { Member } from '../../actors/batch/state.ts'
import { terminal } from '../../actors/failure.ts'
import type { TranscribeSettings } from '../../actors/run/state.ts'
import { alignLimits } from '../../actors/transcript/state.ts'

/** The wire of what is said in a recording, where that is known. */

const { characters, seconds } = alignLimits

export const saidText = z
  .string()
  .max(characters, `has more than ${characters} characters, which is the limit; give parts of the recording`)
  .regex(/\S/u, 'has no words')

export const saidTextField = saidText
  .optional()
  .describe(
    `What is said in the recording, where that is known: its words become the transcript, each line a segment, and only their times are found out. For one file of at most ${seconds} seconds.`,
  )

interface SaidTextRequest {
  readonly text?: string | undefined
  readonly hotwords?: unknown
  readonly vocabulary?: unknown
  readonly speakers?: unknown
  readonly channels?: string | undefined
}

export function saidTextOf(request: SaidTextRequest, members: readonly Member[]): Pick<TranscribeSettings, 'saidText'> {
  if (request.text === undefined) return {}
  const refusal = refusalBeside(request) ?? refusalOf(members)
  if (refusal !== undefined) throw terminal('invalid_request', `body.text: ${refusal}`)
  return { saidText: request.text }
}

/** What finds out words, or whose they are, has nothing to find out. */
function refusalBeside({ channels = 'mix', hotwords, vocabulary, speakers }: SaidTextRequest): string | undefined {
  const others = { hotwords, vocabulary, speakers, channels: channels === 'mix' ? undefined : channels }
  const besides = Object.entries(others).filter(([, value]) => value !== undefined)
  if (besides.length === 0) return undefined
  const names = besides.map(([name]) => `\`${name}\``).join(', ')
  return `the words are given, so that there is nothing to do for ${names}. Leave out the one or the other.`
}

function refusalOf(members: readonly Member[]): string | undefined {
  if (members.length > 1)
    return `it is what is said in one recording, and these are ${members.length} files. Submit each with its own.`
  const [file] = members
  if (!file || file.part || file.estimatedSeconds <= seconds) return undefined
  return `the recording lasts ${Math.round(file.estimatedSeconds)} seconds, and the limit with a text is ${seconds}. Submit parts of it.`
}
