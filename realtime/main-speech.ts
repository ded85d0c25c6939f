import { Readable } from 'node:stream'

import type { ConversationModel, Listener, Voices } from '../actors/conversation/ports.ts'
import type { Owner } from '../actors/ids.ts'
import type { Log } from '../actors/ports.ts'
import type { Pronunciations } from '../actors/pronunciation/ports.ts'
import { createAgent } from '../infra/agent/agent.ts'
import type { Config } from '../infra/config/config.ts'
import { newSessionId } from '../infra/ids/session-ids.ts'
import { chatModel } from '../infra/llm/chat-completions.ts'
import { withToolServers } from '../infra/mcp/with-tool-servers.ts'
import { openListener } from '../infra/speech/engine/listener.ts'
import { fetchModel, openStore } from '../infra/speech/models/open-store.ts'
import { openVoices } from '../infra/speech/tts/open-voices.ts'
import { openDetector } from '../infra/speech/vad/live/detector.ts'
import { progressOn } from '../infra/telemetry/progress.ts'
import type { RunningTracer } from '../infra/telemetry/tracer.ts'
import { systemClock } from '../infra/timing/clock.ts'

export interface RealtimeOptions {
  readonly log: Log
  /** Absent: nobody is told of traces. */
  readonly tracer?: RunningTracer | undefined
  /** Of models that are fetched. */
  readonly cacheDir: string
}

/** What detects, hears, answers and speaks in sessions. */
export function openSpeech(config: Config, { log, cacheDir }: RealtimeOptions) {
  const startProgress = progressOn(process.stderr)
  const where = { cacheDir, modelDir: config.modelDir, hub: config.hubAddress }
  const store = openStore(where)
  const modelPath = async (): Promise<string> => {
    await fetchModel(store, vadModel, startProgress)
    return Object.values((await store.locate(vadModel)).files)[0]!
  }
  return {
    detector: openDetector({ modelPath, log }),
    listener: openListener({
      ...where,
      profile: config.realtimeAsrProfile,
      whisperModel: config.whisperModel,
      follows: config.realtimeFollow,
      startProgress,
    }),
    answers: withToolServers(answersOf(config, log), { timeoutMs: config.mcpTimeoutMs, clock: systemClock, log }),
    voices: openVoices({
      engine: config.ttsEngine,
      voicesFile: config.voicesFile,
      cacheDir,
      modelDir: config.modelDir,
      lightMeanwhile: true,
      log,
    }),
  }
}

/** What a session of this user has of it: who opens many sessions has no more than who opens one. */
export function speechOfUser<Speech extends Spoken>(
  owner: Owner,
  speech: Speech,
  pronunciations: Pick<Pronunciations, 'pronounceFor'>,
): Speech & Spoken {
  const { listener } = speech
  return {
    ...speech,
    listener: {
      ...listener,
      transcribe: (samples, options) => listener.transcribe(samples, { ...options, owner }),
      follow: (options) => listener.follow({ ...options, owner }),
      ...(listener.backchannelIn && {
        backchannelIn: (samples, options) => listener.backchannelIn!(samples, { ...options, owner }),
      }),
    },
    voices: voicesOfUser(owner, speech.voices, pronunciations),
  }
}

/** What a user wants to be spoken otherwise is looked up for each answer: it may have changed since the one before. */
export function voicesOfUser(
  owner: Owner,
  voices: Voices,
  pronunciations: Pick<Pronunciations, 'pronounceFor'>,
): Voices {
  return {
    ...voices,
    async *speak(text, options) {
      const pronounce = await pronunciations.pronounceFor(owner)
      yield* voices.speak(text, { ...options, owner, pronounce })
    },
  }
}

interface Spoken {
  readonly listener: Listener
  readonly voices: Voices
}

/** One word, for nobody: starting what speaks takes longer than speaking, and the first user should not wait for it. */
export async function warm(voices: Voices): Promise<void> {
  const [voice] = voices.list()
  if (!voice) return
  const { signal } = new AbortController()
  for await (const clause of voices.speak(Readable.from(['Vaak.']), { voice: voice.id, signal })) void clause
}

const vadModel = 'silero-vad'

function answersOf(config: Config, log: Log): ConversationModel {
  if (config.llmBaseUrl === '') return createAgent({ clock: systemClock, newId: newSessionId })
  return chatModel({
    baseUrl: config.llmBaseUrl,
    model: config.llmModel,
    apiKey: config.llmApiKey,
    beginWithinMs: config.llmBeginMs,
    timeoutMs: config.llmTimeoutMs,
    retries: config.llmRetries,
    log,
  })
}
