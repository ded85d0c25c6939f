import { languageCodes } from '../../../actors/transcript/state.ts'
import { untilAborted } from '../../timing/until-aborted.ts'
import { hearAhead, transcribeAgain, withEnglishInLatin } from './again.ts'
import { better, isDoubtful, markDoubt, silenced } from './doubt.ts'
import { askRecogniser } from './task.ts'
import type { ClipOptions, Routed, RouterModels, Task } from './task.ts'

export interface Router {
  transcribe(clip: Float32Array, options: ClipOptions): Promise<Routed>
  close(): Promise<void>
}

/** How sure the detector must be that a clip in doubt is in a language that the first does not know… */
const sureOfOther = 0.7
/** …and in one that nobody here knows. */
const sureOfForeign = 0.8

export function createRouter(models: RouterModels): Router {
  return {
    async transcribe(clip, options) {
      const task = { ...options, clip }
      const ahead = hearAhead(models, task)
      const first = await firstOpinion(models, task)
      options.heardFirst?.(first.transcript)
      if (isDoubtful(first.transcript))
        return options.isUnfinished?.()
          ? { ...first, transcript: silenced(first.transcript, 'unfinished') }
          : markDoubt(await secondOpinion(models, task, first))
      return options.language === undefined ? transcribeAgain(models, task, { first, ahead }) : first
    },
    close: () => models.close(),
  }
}

async function firstOpinion(models: RouterModels, task: Task): Promise<Routed> {
  const { language } = task
  const first = await askRecogniser(await (language === undefined ? models.first() : models.recogniser(language)), task)
  return { ...first, transcript: withEnglishInLatin(first.transcript) }
}

/** By who knows all languages: of what another than the first heard, or of a language that the first does not know. */
async function secondOpinion(models: RouterModels, task: Task, first: Routed): Promise<Routed> {
  const language = task.language ?? (await otherLanguageInTime(models, task))
  const own = await models.first()
  // of its own languages nobody who knows all of them hears more than the first
  if (language === undefined || (own.id === first.model && own.languages.includes(language))) return first
  if (language === foreign) return { ...first, transcript: silenced(first.transcript, 'other-language') }
  const fallback = await models.fallback()
  // it would only say the same again
  if (fallback.id === first.model) return first
  return better(first, await askRecogniser(fallback, { ...task, language }))
}

const foreign = 'foreign'

/** Whoever waits for an answer is not asked to wait for a detector as well. */
async function otherLanguageInTime(models: RouterModels, { clip, late }: Task): Promise<string | undefined> {
  if (!late) return otherLanguage(models, clip)
  return untilAborted(late, () => otherLanguage(models, clip)).catch((error: unknown) => {
    if (!late.aborted) throw error
    return undefined
  })
}

async function otherLanguage(models: RouterModels, clip: Float32Array): Promise<string | undefined> {
  const { languages } = await models.first()
  const likelihoods = await (await models.detector()).identify(clip)
  const isOther = ([code, likelihood]: readonly [string, number]): boolean =>
    !languages.includes(code) && likelihood >= (isKnown(code) ? sureOfOther : sureOfForeign)
  const [found] = Object.entries(likelihoods).find(isOther) ?? []
  return found === undefined || isKnown(found) ? found : foreign
}

function isKnown(code: string): boolean {
  return languageCodes.some((known) => known === code)
}
