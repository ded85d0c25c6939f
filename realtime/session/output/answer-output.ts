import type { AnswerPart } from '../../../actors/conversation/ports.ts'
import { startSpeech } from './speech.ts'
import type { SpeechOutput, SpeechOutputPorts } from './speech.ts'

export interface AnswerOutputPorts extends Omit<SpeechOutputPorts, 'signal' | 'begun' | 'failed'> {
  readonly stopping: AbortController
}

/** Brings the parts of an answer out: written, spoken or as calls. */
export class AnswerOutput {
  readonly #ports: AnswerOutputPorts
  #speech: SpeechOutput | undefined
  #isWriting = false
  #hasBegun = false

  constructor(ports: AnswerOutputPorts) {
    this.#ports = ports
  }

  /** Whether the caller has been told, or told to expect, any of it. */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  async take(part: AnswerPart): Promise<void> {
    const { settings, stopping, tell, newId } = this.#ports
    this.#hasBegun ||= part.kind === 'text' || part.kind === 'call'
    if (part.kind === 'text') return settings.modality === 'audio' ? this.#say(part.delta) : this.#write(part.delta)
    if (part.kind === 'arguments') return tell({ type: 'ArgumentsWritten', delta: part.delta })
    if (part.kind === 'approved') return this.#tellCall(part)
    if (part.kind !== 'call' && part.kind !== 'approval') return
    await this.#finishSpeech(true) // what was said before a call is sent first
    this.#isWriting = false
    if (stopping.signal.aborted) return
    const itemId = newId('item')
    if (part.kind === 'call') return tell({ type: 'CallBegan', itemId, callId: part.callId, name: part.name })
    const { kind: _, ...wanted } = part
    return tell({ type: 'ApprovalWanted', itemId, ...wanted })
  }

  #tellCall({ id: requestId, output }: Extract<AnswerPart, { kind: 'approved' }>): void {
    const { tell, newId } = this.#ports
    if (output === undefined) tell({ type: 'ApprovedCallBegan', itemId: newId('item'), requestId })
    else tell({ type: 'ApprovedCallEnded', requestId, output })
  }

  finish(): Promise<void> {
    return this.#finishSpeech(false)
  }

  #say(text: string): void {
    if (!this.#speech) {
      if (text.trim() === '') return
      this.#speech = this.#startSpeech()
    }
    this.#speech.say(text)
  }

  #startSpeech(): SpeechOutput {
    const { clock, stopping, tell } = this.#ports
    const firstTextAt = clock.elapsedMs()
    return startSpeech({
      ...this.#ports,
      signal: stopping.signal,
      begun: () => tell({ type: 'StageMeasured', stage: 'tts_ttfb_ms', ms: clock.elapsedMs() - firstTextAt }),
      failed: (error) => stopping.abort(error),
    })
  }

  #write(delta: string): void {
    const { tell, newId } = this.#ports
    if (!this.#isWriting) {
      if (delta.trim() === '') return
      tell({ type: 'MessageBegan', itemId: newId('item'), kind: 'text' })
    }
    this.#isWriting = true
    tell({ type: 'TextWritten', delta })
  }

  async #finishSpeech(hurry: boolean): Promise<void> {
    const speech = this.#speech
    this.#speech = undefined
    await speech?.finish(hurry)
  }
}
