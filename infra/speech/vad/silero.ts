import { readFile } from 'node:fs/promises'

import ort from 'onnxruntime-node'

import { readModel, writeModel } from '../onnx/model.ts'
import { vadFrameSamples } from './segments.ts'
import { contextSamples, acceptWholeStretches, inputSamples, stateLayers, stateSize } from './whole-stretches.ts'

/** Of a recording in one run: some milliseconds on the thread that asks. */
const framesARun = 128

/** What the network remembers of one source of audio. It belongs to the caller and changes with every `advance`. */
export interface VadStream {
  readonly state: Float32Array
  readonly context: Float32Array
}

export interface VoiceActivity {
  /**
   * As many frames of each stream in one run, whoever they belong to: the probability of speech in each, those of the
   * first frames before those of the second. Computed on the calling thread.
   */
  advance(turns: readonly VadTurn[]): Promise<Float32Array>
  close(): Promise<void>
}

interface VadTurn {
  readonly stream: VadStream
  /** One or more of `vadFrameSamples` each, and as many for all streams. */
  readonly frames: Float32Array
}

export function vadStream(): VadStream {
  return { state: new Float32Array(stateLayers * stateSize), context: new Float32Array(contextSamples) }
}

export async function openSilero(options: { modelPath: string; threads?: number }): Promise<VoiceActivity> {
  const model = acceptWholeStretches(readModel(await readFile(options.modelPath)))
  const session = await ort.InferenceSession.create(writeModel(model), {
    executionProviders: ['cpu'],
    executionMode: 'sequential',
    // The network is so small that a second thread costs more in waiting than it computes.
    intraOpNumThreads: options.threads ?? 1,
    interOpNumThreads: 1,
  })

  return {
    advance: async (turns) => {
      const steps = stepsOf(turns)
      if (steps === 0) return new Float32Array(0)
      const outputs = await session.run({
        input: new ort.Tensor('float32', inputOf(turns, steps), [steps * turns.length, inputSamples]),
        state: new ort.Tensor('float32', stateOf(turns), [stateLayers, turns.length, stateSize]),
      })
      remember(turns, floatsOf(outputs['stateN']))
      return floatsOf(outputs['output'])
    },
    close: () => session.release(),
  }
}

/** The probability of speech in each frame of a recording. */
export async function speechProbabilities(
  vad: VoiceActivity,
  samples: Float32Array,
  signal?: AbortSignal,
): Promise<Float32Array> {
  const count = Math.ceil(samples.length / vadFrameSamples)
  const probabilities = new Float32Array(count)
  const stream = vadStream()
  for (let first = 0; first < count; first += framesARun) {
    signal?.throwIfAborted()
    const last = Math.min(first + framesARun, count)
    const frames = wholeFrames(samples.subarray(first * vadFrameSamples, last * vadFrameSamples))
    probabilities.set(await vad.advance([{ stream, frames }]), first)
  }
  return probabilities
}

/** Where the last frame is not full, silence follows. */
function wholeFrames(samples: Float32Array): Float32Array {
  if (samples.length % vadFrameSamples === 0) return samples
  const frames = new Float32Array(Math.ceil(samples.length / vadFrameSamples) * vadFrameSamples)
  frames.set(samples)
  return frames
}

function stepsOf(turns: readonly VadTurn[]): number {
  const lengths = new Set(turns.map(({ frames }) => frames.length))
  const [length = 0] = lengths
  if (lengths.size > 1 || length % vadFrameSamples !== 0)
    throw new RangeError(
      `a frame has ${vadFrameSamples} samples, and all streams as many frames; not ${[...lengths].join(', ')}`,
    )
  return length / vadFrameSamples
}

/** Each frame has the end of the one before it in front of it. */
function inputOf(turns: readonly VadTurn[], steps: number): Float32Array {
  const input = new Float32Array(steps * turns.length * inputSamples)
  for (const [at, { stream, frames }] of turns.entries())
    for (let step = 0; step < steps; step += 1) {
      const row = (step * turns.length + at) * inputSamples
      const from = step * vadFrameSamples
      if (step === 0) input.set(stream.context, row)
      else input.set(frames.subarray(from - contextSamples, from), row)
      input.set(frames.subarray(from, from + vadFrameSamples), row + contextSamples)
    }
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
  turns.forEach(({ stream, frames }, i) => {
    stream.context.set(frames.subarray(-contextSamples))
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
