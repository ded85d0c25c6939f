import type { SpeakingManner, SpokenClause, Voice, Voices } from '../../../actors/conversation/ports.ts'
import { terminal } from '../../../actors/failure.ts'
import { untilAborted } from '../../timing/until-aborted.ts'
import { createClauseSplitter } from './clauses.ts'
import type { SpeechEngine } from './engine.ts'
import { finishClause, silentClause } from './finish.ts'
import { aliases } from './roster.ts'
import type { VoiceRecipe } from './roster.ts'
import { spokenText } from './spoken-text.ts'

export const slowest = 0.25
export const fastest = 4

interface VoicesParts {
  /** Asked for with each clause: the engine may be chosen, or opened, when the first one is spoken. */
  readonly engine: () => Promise<SpeechEngine>
  readonly recipes: readonly VoiceRecipe[]
  readonly close: () => Promise<void>
}

export function createVoices({ engine, recipes, close }: VoicesParts): Voices {
  const byId = new Map(recipes.map((recipe) => [recipe.id, recipe]))

  function find(name: string): VoiceRecipe | undefined {
    const known = name.trim().toLowerCase()
    return byId.get(known) ?? byId.get(Object.hasOwn(aliases, known) ? aliases[known]! : '')
  }

  async function sayClause(text: string, manner: Required<SpeakingManner>, voice: VoiceRecipe): Promise<SpokenClause> {
    const clause = spokenText(text, voice.language)
    if (clause.words.every(({ spoken }) => spoken === '')) return silentClause(text, clause)
    const { speed, signal } = manner
    return finishClause(text, clause, await (await engine()).say(clause, { voice, speed, signal }))
  }

  return {
    list: () => recipes.map(publicPart),
    find(name) {
      const recipe = find(name)
      return recipe && publicPart(recipe)
    },
    async *speak(text, given) {
      const manner = { speed: 1, ...given }
      const voice = find(manner.voice)
      if (!voice) throw terminal('invalid_request', `There is no voice ${JSON.stringify(manner.voice.slice(0, 64))}.`)
      if (!(manner.speed >= slowest && manner.speed <= fastest))
        throw terminal('invalid_request', `The speed is a number from ${slowest} to ${fastest}.`)
      for await (const clause of clausesOf(text, manner.signal)) {
        manner.signal.throwIfAborted()
        yield await sayClause(clause, manner, voice)
      }
      manner.signal.throwIfAborted()
    },
    close,
  }
}

function publicPart({ id, name, gender, language }: VoiceRecipe): Voice {
  return { id, name, gender, language }
}

/** Pulls the next piece only when the clauses of the earlier ones were taken; does not wait for one once aborted. */
async function* clausesOf(text: AsyncIterable<string>, signal: AbortSignal): AsyncGenerator<string, void> {
  const splitter = createClauseSplitter()
  const pieces = text[Symbol.asyncIterator]()
  let ended = false
  try {
    while (!ended) {
      const piece = await untilAborted(signal, () => pieces.next())
      ended = piece.done === true
      yield* piece.done === true ? splitter.flush() : splitter.push(piece.value)
    }
  } finally {
    // not waited for: a source that is stuck would hold up whoever cancelled
    if (!ended) void pieces.return?.()?.catch(() => undefined)
  }
}
