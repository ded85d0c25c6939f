import { availableParallelism } from 'node:os'
import { isDeepStrictEqual } from 'node:util'

import { recogniserRate } from '../../../actors/conversation/ports.ts'
import { FailureError, retryable } from '../../../actors/failure.ts'
import type { Owner } from '../../../actors/ids.ts'
import { patientNiceness } from '../../process/give-way.ts'
import { noProgress, progressIn } from '../../telemetry/progress.ts'
import type { StartProgress } from '../../telemetry/progress.ts'
import { openAnalyst } from '../analysis/analyst.ts'
import { openModels } from '../asr/open-models.ts'
import { profiles } from '../../../actors/run/state.ts'
import { languageModel, modelsFor } from '../asr/profiles.ts'
import type { Profile } from '../../../actors/run/state.ts'
import type { ModelDigest } from '../../../actors/receipt/state.ts'
import { createRouter } from '../asr/router.ts'
import type { Router } from '../asr/router.ts'
import type { RouterModels } from '../asr/task.ts'
import { createDecoder } from '../audio/decode.ts'
import { cutFile } from '../engine/cut.ts'
import { emitChunk } from '../engine/emit-chunk.ts'
import { transcribeChunk } from '../engine/transcribe-chunk.ts'
import { openModelDigests } from '../models/model-digests.ts'
import { fetchModel, openStore } from '../models/open-store.ts'
import type { ModelSources } from '../models/open-store.ts'
import { createPunctuator, punctuationModel } from '../punctuation/punctuator.ts'
import { lazily } from '../threads/lazily.ts'
import { isPatient, modelTime } from '../threads/model-time.ts'
import type { TranscribedChunk } from '../transcript/transcribed-chunk.ts'
import { openVad } from '../vad/open-vad.ts'
import type { Recognition } from './speech-work.ts'
import type { IsCurrent } from './take-over-same.ts'
import { tellOpenings } from './tell-openings.ts'

export interface RecognitionOptions extends ModelSources {
  /** For files that ask for none. */
  readonly profile: Profile
  /** Hears everything instead of the models of any profile; the profiles decide when left out or empty. */
  readonly whisperModel?: string
  /** Longest recording that is cut. */
  readonly maxSeconds: number
  /** Files that are cut at the same time. */
  readonly fileSlots: number
  readonly startProgress: StartProgress
  /** For whoever waits for what is heard: models that are fetched, as above, and those that are opened. */
  readonly startWait?: StartProgress
}

/**
 * The real ones, sized to this machine. Everything is opened, and models are fetched, when the first file or chunk needs
 * it: a worker that only cuts never loads a recogniser.
 */
export function openRecognition(options: RecognitionOptions): Recognition {
  const store = openStore(options)
  const cores = availableParallelism()
  const { startWait = noProgress } = options
  const startFetch = progressIn(options.startProgress, startWait)
  const fetch = (id: string): Promise<void> => fetchModel(store, id, startFetch)
  const vad = lazily(() => openVad(store, fetch))
  const decoderLimits = {
    decodedSeconds: options.maxSeconds,
    // the process of the last file may still be ending when the next file begins
    processes: 2 * options.fileSlots,
    idleProcesses: options.fileSlots,
  }
  const decoder = createDecoder(decoderLimits)
  const patientDecoder = createDecoder({ ...decoderLimits, niceness: patientNiceness })
  const models = openModels({ store, cores, fetch })
  const modelsOf = (profile: Profile): RouterModels =>
    tellOpenings(models.of(modelsFor(profile, options.whisperModel)), startWait)
  const ways = new Map(profiles.map((profile) => [profile, wayOf(modelsOf(profile))]))
  const punctuator = createPunctuator({ store, fetch })
  const analyst = lazily(() => openAnalyst(cores))
  const digestOfModel = openModelDigests(store)

  return {
    async cut(path, { owner, settings, part }, signal) {
      const parts = { decoder: isPatient(owner) ? patientDecoder : decoder, vad: await notForTheFile(vad.get()) }
      const { channels } = settings
      return cutFile(parts, path, { channels, ...(part && { part }), signal, onDecided: cuttingCharged(owner) })
    },
    decode: (path, { owner }, signal) =>
      (isPatient(owner) ? patientDecoder : decoder).decode(path, { channels: 'mix', signal }),
    async transcribe(audio, { settings, vocabulary, signal }) {
      const { language, hotwords, profile = options.profile, saidText } = settings
      const { router, first } = ways.get(profile)!
      if (saidText !== undefined) {
        const heard = await notForTheFile(emitChunk(await notForTheFile(first()), audio, signal))
        return { ...heard, models: [await notForTheFile(digestOfModel(heard.model))] }
      }
      const parts = { router, punctuator, analyst: await analyst.get() }
      const listened = { ...(hotwords && { hotwords }), ...(vocabulary && { vocabulary }) }
      const asked = { ...(language && { language }), ...listened, signal }
      const heard = await notForTheFile(transcribeChunk(parts, audio, asked))
      return { ...heard, models: await notForTheFile(Promise.all(modelsIn(heard).map(digestOfModel))) }
    },
    isCurrent: currentModels(options, digestOfModel),
    async close() {
      await Promise.all([
        decoder.close(),
        patientDecoder.close(),
        vad.close(),
        models.close(),
        punctuator.close(),
        analyst.close(),
      ])
    },
  }
}

/** Whether models are those of the profile, as they are on this machine. */
function currentModels(
  options: Pick<RecognitionOptions, 'profile' | 'whisperModel'>,
  digestOfModel: (id: string) => Promise<ModelDigest>,
): IsCurrent {
  return async ({ profile = options.profile }, used) => {
    const { first, hindi, english, other } = modelsFor(profile, options.whisperModel)
    const usual = new Set([first, hindi, english, other, languageModel, punctuationModel])
    if (!used.every(({ id }) => usual.has(id))) return false
    // one that is not on this machine has not heard anything here
    const now = await Promise.all(used.map(({ id }) => digestOfModel(id).catch(() => undefined)))
    return isDeepStrictEqual(now, used)
  }
}

/** Who hears words, and who hears letters. */
function wayOf(models: RouterModels): { readonly router: Router; readonly first: RouterModels['first'] } {
  return { router: createRouter(models), first: () => models.first() }
}

/** Those that wrote its words; who said where speech is, and in which language, is not among them. */
function modelsIn({ model, transcript: { words } }: TranscribedChunk): string[] {
  const recognisers = new Set([model, ...words.map((word) => word.model ?? model)])
  const isHinglish = [...recognisers].some((id) => id.startsWith('vaak-hinglish'))
  return [...recognisers, ...(isHinglish ? [languageModel] : []), ...(words.length > 0 ? [punctuationModel] : [])]
}

/** What it takes to decode a second of sound and to look for speech in it: roughly, since others compute beside it on the same thread. */
const cutMsPerSecond = 5

/** Counts the cutting of a file as time of its owner, as it goes on. */
function cuttingCharged(owner: Owner): (decided: readonly number[]) => void {
  let charged = 0
  return (decided) => {
    const samples = decided.reduce((sum, one) => sum + one, 0)
    modelTime.charge(owner, ((samples - charged) / recogniserRate) * cutMsPerSecond)
    charged = samples
  }
}

/** A model that is missing or damaged here says nothing about the file: another worker, or the operator, can help. */
async function notForTheFile<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.kind !== 'terminal') throw error
    throw retryable('worker_failed', 'A worker could not use its models; the operator must look.', error)
  }
}
