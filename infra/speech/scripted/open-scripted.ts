import { createHash, randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'

import { recogniserRate } from '../../../actors/conversation/ports.ts'
import { terminal } from '../../../actors/failure.ts'
import { runFolder } from '../../../actors/ids.ts'
import type { RunRef } from '../../../actors/ids.ts'
import type { Blobs } from '../../../actors/ports.ts'
import type { RecordingPart } from '../../../actors/run/state.ts'
import { wholeBytes } from '../../../actors/whole-bytes.ts'
import { endsLate, whyBeyond } from '../audio/part.ts'
import { decodeWav } from '../audio/wav.ts'
import { createWaveform } from '../audio/waveform.ts'
import type { ChannelChunk, Cutting } from '../engine/cut.ts'
import type { TranscribedChunk } from '../transcript/transcribed-chunk.ts'
import { composeWork } from '../work/speech-work.ts'
import type { Recognition, SpeechWork, WorkPorts } from '../work/speech-work.ts'
import { perform } from './perform.ts'
import { commandsIn } from './script.ts'
import type { ScriptCommand } from './script.ts'

/** Work without models, all else being real: what is cut and heard is decided by the recording (see script.ts). */
export async function openScripted(around: WorkPorts): Promise<SpeechWork> {
  const { blobs } = around
  const work = await composeWork(scriptedRecognition(blobs), around)
  return {
    ...work,
    assembler: {
      async assemble(order, chunks, signal) {
        await perform(blobs, await recall(blobs, order), { stage: 'assemble', run: order, chunk: 0, signal })
        return work.assembler.assemble(order, chunks, signal)
      },
    },
  }
}

function scriptedRecognition(blobs: Blobs): Recognition {
  return {
    decode: async (path) => inOneBlock(await samplesIn(path)),
    async cut(path, order, signal) {
      const samples = await samplesIn(path)
      const commands = commandsIn(samples)
      await note(blobs, order, commands)
      await perform(blobs, commands, { stage: 'plan', run: order, chunk: 0, signal })
      return cuttingOf(samples, order.part)
    },
    async transcribe(audio, { work, signal }) {
      const varies = await perform(blobs, commandsIn(audio.samples), {
        stage: 'transcribe',
        run: work,
        chunk: work.chunk,
        signal,
      })
      return heardIn(audio, varies ? [String(randomInt(2 ** 47))] : [])
    },
    close: () => Promise.resolve(),
  }
}

async function samplesIn(path: string): Promise<Float32Array> {
  const wav = decodeWav(await readFile(path))
  if (!wav) throw terminal('unsupported_media', 'The script wants a WAV with 16-bit mono sound at 16 kHz.')
  return wav.samples
}

async function* inOneBlock(samples: Float32Array): AsyncGenerator<readonly Float32Array[]> {
  yield await Promise.resolve([samples])
}

/** The sound of the chunks may be gone when they are put together. */
async function note(blobs: Blobs, input: RunRef, commands: readonly ScriptCommand[]): Promise<void> {
  if (commands.length > 0) await blobs.put(noteKey(input), { bytes: Buffer.from(JSON.stringify(commands)) })
}

async function recall(blobs: Blobs, input: RunRef): Promise<ScriptCommand[]> {
  if (!(await blobs.stat(noteKey(input)))) return []
  return JSON.parse((await wholeBytes(await blobs.open(noteKey(input)))).toString())
}

function noteKey(input: RunRef): string {
  return `${runFolder(input)}scripted/commands`
}

function cuttingOf(all: Float32Array, part: RecordingPart = { start: 0 }): Cutting {
  const beyond = whyBeyond(part, all.length / recogniserRate)
  if (beyond !== undefined) throw terminal('invalid_request', beyond)
  const offset = Math.round(part.start * recogniserRate)
  const samples = all.slice(offset, part.end === undefined ? all.length : Math.round(part.end * recogniserRate))
  const waveform = createWaveform()
  waveform.skip(offset)
  waveform.push([samples])
  const late = endsLate(part, all.length / recogniserRate)
  return {
    channels: 1,
    lastsSeconds: samples.length / recogniserRate,
    seconds: samples.length / recogniserRate,
    startSeconds: part.start,
    warnings: late === undefined ? [] : [late],
    waveform: waveform.made(),
    async *[Symbol.asyncIterator]() {
      for (let start = 0; start < samples.length; start += recogniserRate) {
        const second = samples.slice(start, start + recogniserRate)
        if (second.some((sample) => sample !== 0)) yield await Promise.resolve(chunkOf(second, offset + start))
      }
    },
  }
}

function chunkOf(samples: Float32Array, start: number): ChannelChunk {
  const end = start + samples.length
  return { chunk: { start, end, ownStart: start, ownEnd: end }, channel: 0, samples, speech: [] }
}

function heardIn({ chunk, channel, samples, speech }: ChannelChunk, more: readonly string[]): TranscribedChunk {
  const said = ['heard', numberInName(samples), ...more]
  const each = samples.length / recogniserRate / said.length
  const words = said.map((text, at) => ({ text, start: at * each, end: (at + 1) * each, confidence: 1 }))
  const transcript = { text: said.join(' '), language: 'en', confidence: 1, logProb: 0, noSpeech: 0, words, flags: [] }
  return {
    chunk,
    channel,
    model: 'scripted',
    transcript,
    speech,
    unheard: [],
    measures: { segments: [], laughing: [] },
  }
}

/** Digits: no script or language makes other words of them. */
export function numberInName(samples: Float32Array): string {
  const hash = createHash('sha256').update(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength))
  return String(hash.digest().readUIntBE(0, 6)).padStart(15, '0')
}
