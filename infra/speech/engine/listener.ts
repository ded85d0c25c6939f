import { availableParallelism } from 'node:os'

import { heardRate } from '../../../actors/conversation/ports.ts'
import type { TranscribedTurn, Listener } from '../../../actors/conversation/ports.ts'
import { languageCodes } from '../../../actors/transcript/state.ts'
import type { StartProgress } from '../../telemetry/progress.ts'
import { openModels } from '../asr/open-models.ts'
import { modelsFor } from '../asr/profiles.ts'
import type { Profile } from '../../../actors/run/state.ts'
import type { Transcript } from '../asr/recogniser.ts'
import { createRouter } from '../asr/router.ts'
import type { Router } from '../asr/router.ts'
import { fetchModel, openStore } from '../models/open-store.ts'
import type { ModelSources } from '../models/open-store.ts'
import { createPunctuator } from '../punctuation/punctuator.ts'
import type { Punctuator } from '../punctuation/punctuator.ts'
import { languageMixOf } from '../text/word-language.ts'
import { sentencesOf } from '../transcript/sentences.ts'
import { writeDown } from '../transcript/written.ts'

interface ListenerOptions extends ModelSources {
  readonly profile: Profile
  readonly whisperModel: string
  readonly startProgress: StartProgress
}

const warmingSeconds = 1
/** A turn may be heard by two models one after the other, and its session wants a core too: more copies would lie idle. */
const coresPerCopy = 2

interface WarmListener extends Listener {
  /** Opens the recognisers now, so that nobody's first turn waits for them; resolves when they are open. */
  warm(): Promise<void>
}

/** The recognisers of a profile. */
export function openListener(options: ListenerOptions): WarmListener {
  const store = openStore(options)
  const fetch = (id: string): Promise<void> => fetchModel(store, id, options.startProgress)
  const models = openModels({ store, cores: Math.ceil(availableParallelism() / coresPerCopy), fetch })
  const router = createRouter(models.of(modelsFor(options.profile, options.whisperModel)))
  const parts = { router, punctuator: createPunctuator({ store, fetch }) }
  const listener = createListener(parts)
  let warming: Promise<void> | undefined
  return {
    ...listener,
    async warm() {
      warming ??= warm(parts).finally(() => {
        warming = undefined
      })
      await warming
    },
    async close() {
      // a process that ends while the runtime opens a model dies of it
      await Promise.allSettled([warming])
      await listener.close()
    },
  }
}

interface ListenerParts {
  readonly router: Router
  readonly punctuator: Punctuator
}

function createListener({ router, punctuator }: ListenerParts): Listener {
  return {
    async transcribe(samples, { language, keywords, signal, tell }) {
      const known = languageCodes.find((code) => code === language?.slice(0, 2).toLowerCase())
      const { transcript } = await router.transcribe(samples, {
        ...(known && { language: known }),
        ...(keywords && keywords.length > 0 && { hotwords: keywords }),
        signal,
      })
      const words = await punctuator.punctuate(transcript.words, signal)
      const heard = turnOf({ ...transcript, words }, samples.length / heardRate)
      if (heard.text !== '') tell?.(heard.text)
      return heard
    },
    async close() {
      await Promise.all([router.close(), punctuator.close()])
    },
  }
}

/** A second of nothing, for whoever hears every turn first and whoever hears English again; then the punctuation. */
async function warm({ router, punctuator }: ListenerParts): Promise<void> {
  const silence = new Float32Array(warmingSeconds * heardRate)
  // one after another: a turn that comes meanwhile waits for one model and not for all
  for (const options of [{}, { language: 'en' }]) await router.transcribe(silence, options)
  await punctuator.prepare()
}

function turnOf(transcript: Transcript, seconds: number): TranscribedTurn {
  const written = sentencesOf(transcript.words).map((sentence) => writeDown(sentence, transcript.language, 'mixed'))
  const mix = languageMixOf(written.flatMap(({ languages }) => languages))
  const languages = mix.languages.map(({ code }) => code)
  return {
    text: written.flatMap(({ punctuated }) => punctuated).join(' '),
    languages: languages.length > 0 ? languages : [transcript.language],
    seconds,
  }
}
