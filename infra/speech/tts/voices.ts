import type { SpokenClause, Voice, Voices } from '../../../actors/conversation/ports.ts'
import { terminal } from '../../../actors/failure.ts'
import type { Log } from '../../../actors/ports.ts'
import { untilAborted } from '../../timing/until-aborted.ts'
import { createClauseSplitter } from './clauses.ts'
import type { EngineSpeakOptions, VoiceEngine } from './engine.ts'
import { finishClause, silentClause } from './finish.ts'
import { PacedSpeech } from './keep-pace.ts'
import { madeAhead } from './made-ahead.ts'
import { aliases } from './roster.ts'
import type { VoiceRecipe } from './roster.ts'
import { spokenText } from './spoken-text.ts'

export const slowest = 0.25
export const fastest = 4

interface VoicesParts {
  /** Asked for with each clause: the engine may be chosen, or opened, when the first one is spoken. */
  readonly engine: () => Promise<VoiceEngine>
  readonly recipes: readonly VoiceRecipe[]
  /** Where somebody listens while it is spoken: who speaks when the engine falls behind. */
  readonly live?: LiveParts
  readonly close: () => Promise<void>
}

interface LiveParts {
  /** Undefined: nobody, and the listener waits. */
  readonly substitute: VoiceEngine | undefined
  readonly elapsedMs: () => number
  readonly log: Log
}

export function createVoices({ engine, recipes, live, close }: VoicesParts): Voices {
  const byId = new Map(recipes.map((recipe) => [recipe.id, recipe]))

  function find(name: string): VoiceRecipe | undefined {
    const known = name.trim().toLowerCase()
    return byId.get(known) ?? byId.get(Object.hasOwn(aliases, known) ? aliases[known]! : '')
  }

  async function sayClause(text: string, options: EngineSpeakOptions, pace?: PacedSpeech): Promise<SpokenClause> {
    const clause = spokenText(text, options.voice.language, options.pronounce)
    if (clause.words.every(({ spoken }) => spoken === '')) return silentClause(text, clause)
    const speaking = await engine()
    const said = await (pace ? pace.say(speaking, clause, options) : speaking.say(clause, options))
    const finished = finishClause(text, clause, said)
    pace?.made(finished.samples.length)
    return finished
  }

  /** The light engine is quick enough by itself, and sounds better in whole clauses. */
  async function* speakLive(
    text: AsyncIterable<string>,
    options: EngineSpeakOptions,
    { log, ...ports }: LiveParts,
  ): AsyncGenerator<SpokenClause, void> {
    const late = (facts: object): void => log.info('the light voice takes over', { ...facts })
    const pace = new PacedSpeech({ ...ports, late })
    const isQuick = (await untilAborted(options.signal, engine)).name === 'neural'
    const clauses = clausesOf(text, options.signal, isQuick)
    yield* madeAhead(clauses, (clause) => sayClause(clause, options, pace))
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
      const { signal } = options
      if (live) yield* speakLive(text, { ...options, voice }, live)
      else
        for await (const clause of clausesOf(text, signal)) {
          signal.throwIfAborted()
          yield await sayClause(clause, { ...options, voice })
        }
      signal.throwIfAborted()
    },
    close,
  }
}

function publicPart({ id, name, gender, language }: VoiceRecipe): Voice {
  return { id, name, gender, language }
}

/** Pulls the next piece only when the clauses of the earlier ones were taken; does not wait for one once aborted. */
async function* clausesOf(
  text: AsyncIterable<string>,
  signal: AbortSignal,
  isQuick = false,
): AsyncGenerator<string, void> {
  const splitter = createClauseSplitter({ isQuick })
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
