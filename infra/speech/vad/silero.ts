import ort from 'onnxruntime-node'

import { heardRate } from '../../../actors/conversation/ports.ts'
import { vadFrameSamples } from './segments.ts'

export const contextSamples = 64
const stateSize = 128
const stateLayers = 2
export const inputSamples = contextSamples + vadFrameSamples
/** How far a lane starts before its stretch, so that the network has heard what came before: 2 s. */
const warmUpFrames = 64
const maxLanes = 8
const framesALane = 1000

/** What the network remembers of one source of audio. It belongs to the caller and changes with every `advance`. */
export interface VadStream {
  readonly state: Float32Array
  readonly context: Float32Array
}

export interface VoiceActivity {
  /**
   * One frame of each stream in one run, whoever they belong to: the probability of speech in each. Computed on the
   * calling thread, about 0.3 ms for one stream and 1 ms for eight.
   */
  advance(turns: readonly VadTurn[]): Promise<Float32Array>
  close(): Promise<void>
}

interface VadTurn {
  readonly stream: VadStream
  /** `vadFrameSamples` long. */
  readonly frame: Float32Array
}

export function vadStream(): VadStream {
  return { state: new Float32Array(stateLayers * stateSize), context: new Float32Array(contextSamples) }
}

export async function openSilero(options: { modelPath: string; threads?: number }): Promise<VoiceActivity> {
  const session = await ort.InferenceSession.create(options.modelPath, {
    executionProviders: ['cpu'],
    executionMode: 'sequential',
    // The network is so small that a second thread costs more in waiting than it computes.
    intraOpNumThreads: options.threads ?? 1,
    interOpNumThreads: 1,
  })
  const rate = new ort.Tensor('int64', BigInt64Array.of(BigInt(heardRate)), [])

  return {
    advance: async (turns) => {
      if (turns.length === 0) return new Float32Array(0)
      const outputs = await session.run({
        input: new ort.Tensor('float32', inputOf(turns), [turns.length, inputSamples]),
        state: new ort.Tensor('float32', stateOf(turns), [stateLayers, turns.length, stateSize]),
        sr: rate,
      })
      remember(turns, floatsOf(outputs['stateN']))
      return floatsOf(outputs['output'])
    },
    close: () => session.release(),
  }
}

/**
 * The probability of speech in each frame of a recording. A long one is cut into stretches that run side by side, each
 * warmed up on the end of the stretch before it: twice as fast on one core, and the same file gives the same answer.
 */
export async function speechProbabilities(
  vad: VoiceActivity,
  samples: Float32Array,
  signal?: AbortSignal,
): Promise<Float32Array> {
  const frames = Math.ceil(samples.length / vadFrameSamples)
  const lanes = Math.min(maxLanes, Math.max(1, Math.floor(frames / framesALane)))
  const framesEach = Math.ceil(frames / lanes)
  const probabilities = new Float32Array(frames)
  const turns = Array.from({ length: lanes }, () => ({
    stream: vadStream(),
    frame: new Float32Array(vadFrameSamples),
  }))
  for (let step = lanes > 1 ? -warmUpFrames : 0; step < framesEach; step++) {
    signal?.throwIfAborted()
    const started = turns.filter((_, lane) => lane * framesEach + step >= 0)
    const first = lanes - started.length
    started.forEach(({ frame }, i) => fill(frame, samples, (first + i) * framesEach + step))
    const answers = await vad.advance(started)
    if (step < 0) continue
    for (let lane = 0; lane < lanes; lane++) {
      const frame = lane * framesEach + step
      if (frame < frames) probabilities[frame] = answers[lane]!
    }
  }
  return probabilities
}

function fill(frame: Float32Array, samples: Float32Array, index: number): void {
  const piece = samples.subarray(index * vadFrameSamples, (index + 1) * vadFrameSamples)
  frame.set(piece)
  frame.fill(0, piece.length)
}

function inputOf(turns: readonly VadTurn[]): Float32Array {
  const input = new Float32Array(turns.length * inputSamples)
  turns.forEach(({ stream, frame }, i) => {
    if (frame.length !== vadFrameSamples)
      throw new RangeError(`a frame has ${vadFrameSamples} samples, not ${frame.length}`)
    input.set(stream.context, i * inputSamples)
    input.set(frame, i * inputSamples + contextSamples)
  })
  return input
}

function stateOf(turns: readonly VadTurn[]): Float32Array {
  const states = new Float32Array(stateLayers * turns.length * stateSize)
  turns.forEach(({ stream }, i) => {
    for (let layer = 0; layer < stateLayers; layer++)
      states.set(
        stream.state.subarray(layer * stateSize, (layer + 1) * stateSize),
        (layer * turns.length + i) * stateSize,
      )
  })
  return states
}

function remember(turns: readonly VadTurn[], states: Float32Array): void {
  turns.forEach(({ stream, frame }, i) => {
    stream.context.set(frame.subarray(vadFrameSamples - contextSamples))
    for (let layer = 0; layer < stateLayers; layer++) {
      const at = (layer * turns.length + i) * stateSize
      stream.state.set(states.subarray(at, at + stateSize), layer * stateSize)
    }
  })
}

function floatsOf(tensor: ort.Tensor | undefined): Float32Array {
  if (tensor?.data instanceof Float32Array) return tensor.data
  throw new Error('the voice activity model has other outputs than silero-vad version 6')
}
