import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { finished } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { recogniserRate } from '../../actors/conversation/ports.ts'
import type { FileResult } from '../../actors/transcript/state.ts'
import { aRandom } from '../support/samples.ts'
import { wavHeader, wavSamples } from '../support/wav-file.ts'
import type { Recording } from '../support/recordings.ts'
import { treeCpuSeconds } from './cpu.ts'
import { treeMemoryMb } from './memory.ts'
import { readSpeech } from './speech.ts'
import { machine, printTable } from './table.ts'

const program = fileURLToPath(new URL('../../infra/cli/vaak.js', import.meta.url))
const sampleEveryMs = 1_000
const shortFiles = 50
const everyFiles = 10
const pauseSeconds = { shortest: 0.2, longest: 2.5 }

/**
 * Memory and speed of `vaak transcribe` on a recording of hours, and from file to file:
 * `npm run bench -- long [--speech FOLDER] [--models DIR] [--hours 3] [--profile fast] [--language hi]`
 */
export async function long(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      speech: { type: 'string' },
      models: { type: 'string', default: '' },
      hours: { type: 'string', default: '3' },
      profile: { type: 'string', default: 'fast' },
      language: { type: 'string', default: 'hi' },
    },
  })
  const speech = await readSpeech(values.speech)
  const clips = values.language === 'en' ? speech.english : speech.hindi
  const paths = clips.map(({ name }) => join(speech.folder, values.language === 'en' ? 'english' : 'hindi', name))
  // one after the other, so that what is resident after the first file is the model and nothing of the second file
  const together = ['--at-once', '1', '--format', 'ndjson']
  const options = ['--profile', values.profile, '--language', values.language, ...together]
  const folder = await mkdtemp(join(tmpdir(), 'vaak-bench-'))
  try {
    const recording = { path: join(folder, 'long.wav'), seconds: Math.round(3600 * Number(values.hours)) }
    await writeLong(recording, clips)
    const hours = await transcribe([...options, '--speech-information', paths[0]!, recording.path], values.models)
    const [model, end] = [hours.afterFile[0]!, hours.afterFile[1]!]
    const many = Array.from({ length: shortFiles }, (_, at) => paths[at % paths.length]!)
    const files = await transcribe([...options, ...many], values.models)
    const late = files.afterFile[shortFiles - 1]!
    printTable(`vaak transcribe ${options.slice(0, 4).join(' ')}, all its processes (${machine()})`, [
      {
        run: `one file of ${values.hours} h`,
        'words by': end.model,
        '× real time': (recording.seconds / ((end.atMs - model.atMs) / 1000)).toFixed(1),
        'ms of a core a second': ((1000 * (end.cpuSeconds - model.cpuSeconds)) / recording.seconds).toFixed(1),
        'peak MB': hours.peakMb.toFixed(0),
        'of which the model MB': model.memoryMb.toFixed(0),
        'beyond the model MB': (hours.peakMb - model.memoryMb).toFixed(0),
      },
      {
        run: `${shortFiles} short files`,
        'words by': late.model,
        '× real time': '',
        'ms of a core a second': '',
        'peak MB': files.peakMb.toFixed(0),
        'of which the model MB': files.afterFile[0]!.memoryMb.toFixed(0),
        'beyond the model MB': (files.peakMb - files.afterFile[0]!.memoryMb).toFixed(0),
      },
    ])
    const along = files.afterFile.filter((_, at) => (at + 1) % everyFiles === 0)
    console.log(
      `\nThe model: what is resident after the first short file. After each ${everyFiles} short files: ` +
        `${along.map(({ memoryMb }) => memoryMb.toFixed(0)).join(', ')} MB.`,
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Clips in random order with pauses between them, written as it is made: hours do not fit into memory. */
async function writeLong(to: { path: string; seconds: number }, clips: readonly Recording[]): Promise<void> {
  const random = aRandom(1)
  const total = to.seconds * recogniserRate
  const output = createWriteStream(to.path)
  output.write(wavHeader(total))
  for (let written = 0; written < total;) {
    const { samples } = clips[Math.floor(random() * clips.length)]!
    const pause = pauseSeconds.shortest + random() * (pauseSeconds.longest - pauseSeconds.shortest)
    const part = new Float32Array(Math.min(total - written, samples.length + Math.round(pause * recogniserRate)))
    part.set(samples.subarray(0, part.length))
    written += part.length
    if (!output.write(wavSamples(part))) await once(output, 'drain')
  }
  output.end()
  await finished(output)
}

interface AfterFile {
  readonly atMs: number
  /** What all processes had used by then: says more than the time where others share the machine. */
  readonly cpuSeconds: number
  readonly memoryMb: number
  /** A second model shows here, when its words were better: it has memory of its own. */
  readonly model: string
}

interface Watched {
  readonly peakMb: number
  /** When the result of each file came, and what was resident then. */
  readonly afterFile: readonly AfterFile[]
}

async function transcribe(words: readonly string[], modelDir: string): Promise<Watched> {
  const child = spawn(process.execPath, [program, 'transcribe', ...words], {
    env: { ...process.env, MODEL_DIR: modelDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const afterFile: AfterFile[] = []
  let peakMb = 0
  const look = (): number => {
    const memoryMb = treeMemoryMb(child.pid!)
    peakMb = Math.max(peakMb, memoryMb)
    return memoryMb
  }
  const timer = setInterval(look, sampleEveryMs)
  try {
    // ndjson: a line for each file
    for await (const line of createInterface(child.stdout)) {
      const { model } = JSON.parse(line) as FileResult // as: vaak wrote it
      afterFile.push({ atMs: performance.now(), cpuSeconds: treeCpuSeconds(child.pid!), memoryMb: look(), model })
    }
    const [code] = (await ended) as [number | null] // as: Node says so
    if (code !== 0) throw new Error(`vaak transcribe ended with ${code}`)
  } finally {
    clearInterval(timer)
    child.kill('SIGKILL')
  }
  return { peakMb, afterFile }
}
