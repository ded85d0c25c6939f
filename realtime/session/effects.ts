import { createBucket } from '../../actors/bucket.ts'
import type { Bucket } from '../../actors/bucket.ts'
import { unreachable } from '../../actors/decision.ts'
import type { ServerEvent } from '../wire/server-events.ts'
import { written } from '../wire/write.ts'
import { clipSeconds } from './audio-clip.ts'
import { aheadOfListener } from './decisions/playback.ts'
import { TurnTranscription } from './input/transcription.ts'
import { TurnInput } from './input/turn-input.ts'
import { createKeptAudio } from './items/kept-audio.ts'
import type { KeptAudio } from './items/kept-audio.ts'
import { AgentAnswer } from './output/answer.ts'
import { encodeClip } from './output/audio-out.ts'
import { planResponse } from './plan-response.ts'
import type { SessionKeeper, SessionPorts } from './ports.ts'
import type { SessionEffect, SessionEvent } from './protocol.ts'
import { questionOf } from './question.ts'
import type { Settings } from './settings/settings.ts'
import { SessionRecording } from './session-recording.ts'
import { SessionWords } from './session-words.ts'
import type { SessionState } from './state.ts'

interface EffectsPorts {
  readonly ports: SessionPorts
  readonly keeper: SessionKeeper | undefined
  readonly state: () => SessionState
  readonly tell: (event: SessionEvent) => void
}

type Effect<Type extends SessionEffect['type']> = Extract<SessionEffect, { type: Type }>

/** Does what was decided, and tells what became of it. */
export class SessionEffects {
  readonly input: TurnInput
  readonly words: SessionWords
  readonly #ports: SessionPorts
  readonly #keeper: SessionKeeper | undefined
  readonly #state: () => SessionState
  readonly #tell: (event: SessionEvent) => void
  readonly #transcription: TurnTranscription
  readonly #recording: SessionRecording
  readonly #kept: KeptAudio
  /** Seconds of audio that may go back with items. */
  readonly #retrievable: Bucket
  readonly #answers = new Map<string, AgentAnswer>()
  readonly #expiry: NodeJS.Timeout
  #voiceWait: NodeJS.Timeout | undefined

  constructor({ ports, keeper, state, tell }: EffectsPorts) {
    const { limits } = ports
    this.#ports = ports
    this.#keeper = keeper
    this.#state = state
    this.#tell = tell
    this.words = new SessionWords(() => state().settings.vocabulary)
    this.#transcription = new TurnTranscription({ ...ports, listener: this.words.usedBy(ports.listener), tell })
    this.#recording = new SessionRecording({ ports, state, tell })
    const heard = this.#recording.heard.bind(this.#recording)
    this.input = new TurnInput({ ...ports, tell, follower: this.#transcription, heard }, state().settings)
    this.#kept = createKeptAudio(limits.keptAudioSeconds)
    this.#retrievable = createBucket(limits.retrievedSecondsPerMinute, limits.retrievedSecondsPerMinute / 60)
    this.#expiry = setTimeout(() => tell({ type: 'Expire' }), limits.sessionSeconds * 1_000)
  }

  run(effect: SessionEffect): void {
    switch (effect.type) {
      case 'Send':
        return this.#send(effect.event)
      case 'SendItem':
        return this.#sendItem(effect)
      case 'Close':
        return this.#close(effect)
      case 'Release':
        return void this.#release(effect)
      case 'ApplySettings':
        return this.#applySettings(effect.settings)
      case 'EmptyInput':
        return this.input.empty()
      case 'DropInput':
        return this.input.dropBefore(effect.before)
      case 'HoldTurn':
        return this.input.hold(effect.itemId)
      case 'AwaitVoice':
        return this.#awaitVoice(effect.ms)
      case 'StopAwaitingVoice':
        return clearTimeout(this.#voiceWait)
      case 'Follow':
        return this.#transcription.follow(effect, this.input.turnSource())
      case 'Transcribe':
        return this.#transcription.start(effect)
      case 'StopTranscription':
        return this.#transcription.stop(effect.jobId)
      case 'KeepAudio':
        return this.#kept.keep(effect.itemId, effect.audio)
      case 'CutAudio':
        return this.#cutAudio(effect)
      case 'ForgetAudio':
        return this.#kept.forget(effect.itemId)
      case 'PlanResponse':
        return this.#planResponse(effect)
      case 'StartAnswer':
        return this.#startAnswer(effect)
      case 'StopAnswer':
        return this.#stopAnswer(effect)
      case 'StopPlaying':
        return this.#stopPlaying(effect.isTold)
      case 'Measure':
        return this.#ports.measure?.(effect.stage, effect.ms)
      default:
        return unreachable(effect)
    }
  }

  #applySettings(settings: Settings): void {
    this.input.applySettings(settings)
    this.#recording.applySettings(settings)
  }

  #cutAudio({ itemId, endMs }: Effect<'CutAudio'>): void {
    this.#kept.cut(itemId, endMs)
    this.#recording.cutAnswer(itemId, endMs)
  }

  #stopPlaying(isTold: boolean): void {
    this.#recording.stopPlaying()
    this.#ports.speaker?.stop(isTold)
  }

  #send(event: ServerEvent): void {
    const { newId, dialect, withheld, speaker } = this.#ports
    this.#recording.told(event)
    if (withheld?.has(event.type)) return
    if (speaker && event.type === 'response.output_audio.delta')
      return speaker.play(event.fields.response_id, event.fields.delta)
    const text = written(event, newId('event'), dialect)
    if (text !== undefined) this.#ports.send(text)
    if (event.type === 'response.output_audio.done') speaker?.finish(event.fields.response_id)
  }

  #sendItem({ item, format }: Effect<'SendItem'>): void {
    // where audio has a way of its own, events are for what is short
    const found = this.#ports.speaker ? undefined : this.#kept.find(item.id)
    const isAllowed = found && this.#retrievable.take(clipSeconds(found), this.#ports.clock.elapsedMs())
    const audio = isAllowed ? { audio: encodeClip(found, format) } : {}
    this.#send({ type: 'conversation.item.retrieved', item, ...audio })
  }

  #awaitVoice(ms: number): void {
    clearTimeout(this.#voiceWait)
    this.#voiceWait = setTimeout(
      () => this.#tell({ type: 'VoiceTimedOut', itemId: this.#ports.newId('item'), ...this.input.waiting }),
      ms,
    )
  }

  #planResponse({ wire, unlessSilent, causedBy }: Effect<'PlanResponse'>): void {
    const planned = planResponse(wire, { ports: this.#ports, state: this.#state() })
    const responseId = this.#ports.newId('resp')
    this.#tell({ type: 'ResponsePlanned', responseId, planned, unlessSilent, causedBy })
  }

  #startAnswer({ responseId, planned, unlessSilent }: Effect<'StartAnswer'>): void {
    const { clock, limits } = this.#ports
    const answer = new AgentAnswer({
      ...this.#ports,
      voice: planned.voice,
      settings: planned.settings,
      tell: (output) => this.#tell({ ...output, responseId }),
      aheadMs: () => aheadOfListener(this.#state(), responseId, clock.elapsedMs()),
      question: async () => {
        await this.#transcription.known()
        const conversation = this.#state().conversation.items
        return questionOf(planned, { conversation, unlessSilent, charactersMax: limits.contextCharacters })
      },
      ended: (end) => {
        this.#answers.delete(responseId)
        this.#tell({ type: 'ResponseEnded', responseId, end })
      },
    })
    this.#answers.set(responseId, answer)
  }

  #stopAnswer({ responseId, reason }: Effect<'StopAnswer'>): void {
    this.#answers.get(responseId)?.stop(`the response was cancelled: ${reason}`)
    this.#answers.delete(responseId)
  }

  /** Whoever is told to come again finds everything there. */
  #close({ code, reason, isKept }: Effect<'Close'>): void {
    const left = this.#release({ isKept })
    if (left && isKept) void left.then(() => this.#ports.close(code, reason))
    else this.#ports.close(code, reason)
  }

  #release({ isKept }: Pick<Effect<'Close'>, 'isKept'>): Promise<void> | undefined {
    clearTimeout(this.#expiry)
    clearTimeout(this.#voiceWait)
    this.input.close()
    this.#transcription.stopAll()
    for (const answer of this.#answers.values()) answer.stop('the session is over')
    this.#answers.clear()
    this.#recording.leave(isKept)
    return isKept ? this.#keeper?.leave() : this.#keeper?.forget()
  }
}
