import type { Random } from '../../sim/random.ts'
import { aScriptedRecording, textsOf } from '../../support/scripted-speech.ts'
import type { ScriptedCommand, ScriptedSecond } from '../../support/scripted-speech.ts'

/** A recording, and what must become of it whatever happens on the way. */
export interface ChaosRecording {
  readonly content: Uint8Array
  /** `failed`: it cannot be cut. `partial`: some chunks cannot be heard. */
  readonly outcome: 'completed' | 'partial' | 'failed'
  readonly chunks: readonly ExpectedChunk[]
  /** How often the recogniser is asked when nothing goes wrong around it. */
  readonly calls: number
}

export interface ExpectedChunk {
  readonly text: string
  /** Each call hears something else after the text: only one of them may ever be seen. */
  readonly varies: boolean
  readonly fails: boolean
}

const secondsMax = 9
/** Each call leaves a mark in storage up to this many, which is how they are counted. */
const countedCallsMax = 60

interface Second {
  readonly commands: readonly ScriptedCommand[]
  readonly varies: boolean
  readonly fails: boolean
  readonly calls: number
}

export interface RecordingOptions {
  readonly random: Random
  /** No two chunks sound alike. */
  readonly nextAudio: () => number
  /** How many of them take about a second to hear. */
  readonly slowShare: number
}

export function aChaosRecording({ random, nextAudio, slowShare }: RecordingOptions): ChaosRecording {
  const count = random.between(1, secondsMax)
  const planned = Array.from({ length: count }, (_, index) => aSecond(random, { slowShare, isFirst: index === 0 }))
  const plan = planCommands(random)
  const seconds: ScriptedSecond[] = planned.map(({ commands }, index) => ({
    audio: nextAudio(),
    commands: index === 0 ? [...commands, ...plan] : commands,
  }))
  if (random.chance(0.2)) seconds.push('silence')
  const content = aScriptedRecording(seconds)
  const isRefused = plan.some(({ act }) => act === 'terminal')
  const texts = textsOf(content)
  const chunks = planned.map(({ varies, fails }, index) => ({ text: texts[index]!, varies, fails }))
  return {
    content,
    chunks: isRefused ? [] : chunks,
    outcome: isRefused ? 'failed' : chunks.some(({ fails }) => fails) ? 'partial' : 'completed',
    calls: isRefused ? 0 : planned.reduce((sum, { calls }) => sum + calls, 0),
  }
}

/** One of a hundred is slow, fails now and then or for good, hangs, or is the death of whoever hears it. */
function aSecond(random: Random, { slowShare, isFirst }: { slowShare: number; isFirst: boolean }): Second {
  const ms = random.chance(slowShare) ? random.between(800, 1500) : random.between(20, 300)
  const commands: ScriptedCommand[] = [{ stage: 'transcribe', act: 'wait', times: countedCallsMax, ms }]
  const varies = random.chance(0.2)
  if (varies) commands.push({ stage: 'transcribe', act: 'vary' })
  const times = random.between(1, 2)
  const fate = random.next()
  // the first second is always heard, so that something is left of every recording
  if (fate < 0.015 && !isFirst) return { commands: [...commands, terminal], varies, fails: true, calls: 1 }
  if (fate < 0.06) {
    commands.push({ stage: 'transcribe', act: 'retryable', times })
    return { commands, varies, fails: false, calls: 1 + times }
  }
  if (fate < 0.068) return { commands: [...commands, { ...hang, times: 1 }], varies, fails: false, calls: 2 }
  if (fate < 0.076) return { commands: [...commands, { ...kill, times: 1 }], varies, fails: false, calls: 2 }
  return { commands, varies, fails: false, calls: 1 }
}

const terminal: ScriptedCommand = { stage: 'transcribe', act: 'terminal' }
const hang: ScriptedCommand = { stage: 'transcribe', act: 'hang' }
const kill: ScriptedCommand = { stage: 'transcribe', act: 'kill' }

function planCommands(random: Random): ScriptedCommand[] {
  const fate = random.next()
  if (fate < 0.01) return [{ stage: 'plan', act: 'terminal' }]
  if (fate < 0.03) return [{ stage: 'plan', act: 'retryable', times: 1 }]
  if (fate < 0.04) return [{ stage: 'plan', act: 'kill', times: 1 }]
  if (fate < 0.05) return [{ stage: 'assemble', act: 'kill', times: 1 }]
  if (fate < 0.07) return [{ stage: 'assemble', act: 'retryable', times: 1 }]
  return [{ stage: 'plan', act: 'wait', times: 0, ms: random.between(10, 300) }]
}
