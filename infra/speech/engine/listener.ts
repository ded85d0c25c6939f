import { availableParallelism } from 'node:os'

import { recogniserRate } from '../../../actors/conversation/ports.ts'
import type { Listener, TurnVocabulary } from '../../../actors/conversation/ports.ts'
import { languageMeant } from '../../../actors/transcript/state.ts'
import type { StartProgress } from '../../telemetry/progress.ts'
import { systemClock } from '../../timing/clock.ts'
import { openModels } from '../asr/open-models.ts'
import type { Models } from '../asr/open-models.ts'
import { createPacedRouter } from '../asr/paced-router.ts'
import type { PacedRouter } from '../asr/paced-router.ts'
import { modelsFor } from '../asr/profiles.ts'
import type { ProfileModels } from '../asr/profiles.ts'
import type { Profile } from '../../../actors/run/state.ts'
import type { Recogniser } from '../asr/recogniser.ts'
import { createRouter } from '../asr/router.ts'
import type { Router } from '../asr/router.ts'
import { fetchModel, openStore } from '../models/open-store.ts'
import type { ModelSources } from '../models/open-store.ts'
import { createPunctuator } from '../punctuation/punctuator.ts'
import { onBehalfOf } from '../threads/model-time.ts'
import { Slots } from '../threads/slots.ts'
import { listenedOf, spellingsIn, spellByHouse } from '../vocabulary/spell.ts'
import { backchannelAmong, backchannelPhrases } from './live/backchannel.ts'
import { LiveTurn } from './live/live-turn.ts'
import type { LiveParts } from './live/live-turn.ts'
import { transcribedTurn, writtenWords } from './live/written-turn.ts'

interface ListenerOptions extends ModelSources {
  /** `auto`: the recogniser of `balanced` as long as it keeps up, and otherwise that of `fast`. */
  readonly profile: Profile | 'auto'
  readonly whisperModel: string
  /** Whether turns are transcribed while they are spoken; otherwise when they are over. */
  readonly follows: boolean
  readonly startProgress: StartProgress
}

const warmingSeconds = 1
/** A turn that was not transcribed while it was spoken: whoever said it waits. */
const overMs = 600
/** A turn may be heard by two models one after the other, and its session wants a core too: more copies would lie idle. */
const coresPerCopy = 2
/** Languages that are transcribed several times faster than they are spoken. */
const quickLanguages: ReadonlySet<string | undefined> = new Set([undefined, 'hi', 'en'])

interface WarmListener extends Listener {
  /** Opens the recognisers now, so that nobody's first turn waits for them; resolves when they are open. */
  warm(): Promise<void>
}

/** The recognisers of a profile. */
export function openListener(options: ListenerOptions): WarmListener {
  const store = openStore(options)
  const fetch = (id: string): Promise<void> => fetchModel(store, id, options.startProgress)
  const copies = Math.ceil(availableParallelism() / coresPerCopy)
  const slots = new Slots(copies)
  const opened = openModels({ store, cores: copies, fetch })
  const wanted = modelsFor(options.profile === 'auto' ? 'fast' : options.profile, options.whisperModel)
  const models = opened.of(wanted)
  const router = createRouter(models)
  const paced = options.profile === 'auto' ? pacedRouter({ opened, wanted, quick: router, slots }) : undefined
  const parts = {
    router: paced ?? router,
    punctuator: createPunctuator({ store, fetch }),
    slots,
    again: models.again,
    first: () => models.first(),
    clock: systemClock,
    follows: options.follows && isQuick(options),
  }
  const listener = createListener(parts)
  let warming: Promise<void> | undefined
  return {
    ...listener,
    async warm() {
      warming ??= warm(parts)
        .then(() => paced?.prepare())
        .finally(() => {
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

interface PacedModels {
  readonly opened: Models
  readonly wanted: ProfileModels
  readonly quick: Router
  readonly slots: Slots
}

/** The better recogniser first, as long as it keeps up; whoever hears English again is the same. */
function pacedRouter({ opened, wanted, quick, slots }: PacedModels): PacedRouter {
  const accurate = createRouter(opened.of({ ...wanted, first: modelsFor('balanced').first }))
  return createPacedRouter({
    accurate,
    quick,
    open: () => accurate.transcribe(new Float32Array(warmingSeconds * recogniserRate), {}),
    isBusy: () => slots.isWaitedFor,
    close: () => opened.close(),
    clock: systemClock,
  })
}

interface ListenerParts extends LiveParts {
  /** Whoever hears everything first. */
  readonly first: () => Promise<Recogniser>
  readonly follows: boolean
}

function createListener(parts: ListenerParts): Listener {
  const { router, punctuator } = parts
  return {
    transcribe: (samples, { language, keywords, vocabulary, owner, signal, tell }) =>
      onBehalfOf(owner, async () => {
        const house = vocabulary && wordsOf(vocabulary)
        const said = { ...wantedOf({ language, keywords }), ...(house && { vocabulary: house.listened }) }
        const wanted = { ...said, withinMs: overMs, signal }
        const { transcript } = await router.transcribe(samples, wanted)
        const punctuated = await punctuator.punctuate(transcript.words, signal)
        const words = house ? spellByHouse(punctuated, house.spellings) : punctuated
        const seconds = samples.length / recogniserRate
        const heardAs = transcript.language
        const turn = transcribedTurn(writtenWords(words, heardAs), { heardAs, seconds })
        if (turn.text !== '') tell?.(turn.text)
        return turn
      }),
    follow({ language, keywords, vocabulary, owner, read, tell, judgePause, isAnswered = false }) {
      const wanted = wantedOf({ language, keywords })
      // how a word is spelt may depend on the next one, and what was told is not taken back
      if (vocabulary || !parts.follows || !quickLanguages.has(wanted.language)) return undefined
      const told = { ...(tell && { tell }), ...(judgePause && { judgePause }) }
      return new LiveTurn(parts, { ...wanted, ...told, ...(owner && { owner }), read, isAnswered })
    },
    ...(parts.follows && { backchannelIn: backchannelsBy(parts) }),
    async close() {
      await Promise.all([router.close(), punctuator.close()])
    },
  }
}

/** By whether the words fit the sound, and not by a transcript: of single words that is often wrong. */
function backchannelsBy({ first }: ListenerParts): NonNullable<Listener['backchannelIn']> {
  return (samples, { owner, signal }) =>
    onBehalfOf(owner, async () => {
      const scores = await (await first()).scorePhrases?.(samples, backchannelPhrases, signal)
      return scores && backchannelAmong(scores)
    })
}

const made = new WeakMap<TurnVocabulary, ReturnType<typeof makeWords>>()

function wordsOf(vocabulary: TurnVocabulary): ReturnType<typeof makeWords> {
  const words = made.get(vocabulary) ?? makeWords(vocabulary)
  made.set(vocabulary, words)
  return words
}

function makeWords({ entries, sha256 }: TurnVocabulary) {
  return { listened: listenedOf(entries, sha256), spellings: spellingsIn(entries) }
}

function wantedOf({ language, keywords }: { language: string | undefined; keywords: readonly string[] | undefined }) {
  const known = languageMeant(language)
  return { ...(known && { language: known }), ...(keywords && keywords.length > 0 && { hotwords: keywords }) }
}

/** Whisper takes longer for a word than it takes to say it. */
function isQuick({ profile, whisperModel }: Pick<ListenerOptions, 'profile' | 'whisperModel'>): boolean {
  return profile !== 'accurate' && whisperModel === ''
}

/** A second of nothing, for whoever hears every turn first and whoever hears English again; then the punctuation. */
async function warm({ router, punctuator }: ListenerParts): Promise<void> {
  const silence = new Float32Array(warmingSeconds * recogniserRate)
  // one after another: a turn that comes meanwhile waits for one model and not for all
  for (const options of [{}, { language: 'en' }]) await router.transcribe(silence, options)
  await punctuator.prepare()
}
