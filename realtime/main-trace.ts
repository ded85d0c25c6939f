import type { Tracer } from '../actors/trace/ports.ts'
import type { SessionStage } from './session/session.ts'

export type Measure = (stage: SessionStage, ms: number) => void

/** What each stage is called in a trace; the whole turn is the last. */
const partNames: Readonly<Record<Exclude<SessionStage, 'voice_to_voice_ms'>, string>> = {
  vad_ms: 'hearing: is it over',
  asr_ms: 'hearing: the words',
  llm_ttft_ms: 'thinking',
  tts_ttfb_ms: 'speaking',
}
/** A session that is never answered measures turn after turn. */
const partsMax = 8

/** For one session: a trace of each turn, from the last sound of a question to the first of its answer, told when it is over. */
export function tracedTurns(tracer: Tracer, nowMs: () => number): Measure {
  let parts: { readonly name: string; readonly tookMs: number; readonly endedMs: number }[] = []
  return (stage, ms) => {
    const endedMs = nowMs()
    if (stage === 'vad_ms') parts = []
    if (stage !== 'voice_to_voice_ms') {
      if (parts.length < partsMax) parts.push({ name: partNames[stage], tookMs: ms, endedMs })
      return
    }
    const told = parts.map(({ name, tookMs, endedMs: atMs }) => ({ name, tookMs, beganMsAgo: endedMs - atMs + tookMs }))
    tracer.tell({ name: 'turn', beganMsAgo: ms, tookMs: ms, parts: told })
    parts = []
  }
}
