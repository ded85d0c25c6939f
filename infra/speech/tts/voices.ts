import type { SpeakOptions, SpokenClause, Voice, Voices } from '../../../actors/conversation/ports.ts'
import { terminal } from '../../../actors/failure.ts'
import { untilAborted } from '../../timing/until-aborted.ts'
import { createClauseSplitter } from './clauses.ts'
import type { VoiceEngine } from './engine.ts'
import { finishClause, silentClause } from './finish.ts'
import { aliases } from './roster.ts'
import type { VoiceRecipe } from './roster.ts'
import { spokenText } from './spoken-text.ts'

export const slowest = 0.25
export const fastest = 4

interface VoicesParts {
  /** Asked for with each clause: the engine may be chosen, or opened, when the first one is spoken. */
  readonly engine: () => Promise<VoiceEngine>
  readonly recipes: readonly VoiceRecipe[]
  readonly close: () => Promise<void>
}

export function createVoices({ engine, recipes, close }: VoicesParts): Voices {
  const byId = new Map(recipes.map((recipe) => [recipe.id, recipe]))

  function find(name: string): VoiceRecipe | undefined {
    const known = name.trim().toLowerCase()
    return byId.get(known) ?? byId.get(Object.hasOwn(aliases, known) ? aliases[known]! : '')
  }

  async function sayClause(text: string, options: Required<SpeakOptions>, voice: VoiceRecipe): Promise<SpokenClause> {
    const clause = spokenText(text, voice.language)
    if (clause.words.every(({ spoken }) => spoken === '')) return silentClause(text, clause)
    const { speed, signal } = options
    return finishClause(text, clause, await (await engine()).say(clause, { voice, speed, signal }))
  }

  return {
    list: () => recipes.map(publicPart),
    find(name) {
      const recipe = find(name)
      return recipe && publicPart(recipe)
    },
    async *speak(text, given) {
      const options = { speed: 1, ...given }
      const voice = find(options.voice)
      if (!voice) throw terminal('invalid_request', `There is no voice ${JSON.stringify(options.voice.slice(0, 64))}.`)
      if (!(options.speed >= slowest && options.speed <= fastest))
        throw terminal('invalid_request', `The speed is a number from ${slowest} to ${fastest}.`)
      for await (const clause of clausesOf(text, options.signal)) {
        options.signal.throwIfAborted()
        yield await sayClause(clause, options, voice)
      }
      options.signal.throwIfAborted()
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
