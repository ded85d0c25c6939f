import { createServer } from 'node:http'
import { homedir } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'

import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'

import { cacheFolder } from '../../../infra/config/cache-folder.ts'
import { createResampler } from '../../../infra/speech/audio/signal/resample.ts'
import { enoughForSpeech } from '../../../infra/speech/audio/signal/resampling-filter.ts'
import { openStore } from '../../../infra/speech/models/open-store.ts'
import { vadFrameSamples } from '../../../infra/speech/vad/segments.ts'
import { openSilero, vadStream } from '../../../infra/speech/vad/silero.ts'

/** The comparison: the same network and filter, on the event loop, each frame of each client as it comes. */
const onset = 0.5
const silenceFrames = Math.ceil(500 / 32)

const cacheDir = cacheFolder({ configured: process.env['VAAK_CACHE'], xdgCacheHome: undefined, home: homedir() })
const { files } = await openStore({ cacheDir, modelDir: '' }).locate('silero-vad')
const vad = await openSilero({ modelPath: Object.values(files)[0]! })
const lag = monitorEventLoopDelay({ resolution: 10 })
lag.enable()

const server = createServer((_, response) => {
  response.end(String(lag.percentile(99) / 1e6))
  lag.reset()
})
new WebSocketServer({ server }).on('connection', (socket) => {
  const frames = framesInto(createLook(socket))
  socket.on('message', (data: Buffer) => {
    const event = JSON.parse(data.toString()) as { type: string; audio?: string } // as: our own sender
    if (event.type === 'input_audio_buffer.append' && event.audio !== undefined) frames(event.audio)
  })
  socket.send(JSON.stringify({ type: 'session.created' }))
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number } // as: it listens on a port
  process.send?.({ url: `http://127.0.0.1:${port}` })
})
process.once('SIGTERM', () => process.exit(0))

/** Sound as a client sends it, cut into frames of the network. */
function framesInto(look: (frame: Float32Array) => Promise<void>): (base64: string) => void {
  const resampler = createResampler(24_000, 16_000, enoughForSpeech)
  const frame = new Float32Array(vadFrameSamples)
  let filled = 0
  let turn = Promise.resolve()
  return (base64) => {
    const bytes = Buffer.from(base64, 'base64')
    const samples = new Float32Array(bytes.length / 2)
    for (let at = 0; at < samples.length; at += 1) samples[at] = bytes.readInt16LE(2 * at) / 32_768
    for (const sample of resampler.push(samples)) {
      frame[filled] = sample
      filled += 1
      if (filled < frame.length) continue
      filled = 0
      const whole = frame.slice()
      turn = turn.then(() => look(whole))
    }
  }
}

function createLook(socket: WebSocket): (frame: Float32Array) => Promise<void> {
  const stream = vadStream()
  let frames = 0
  let silent = silenceFrames
  return async (frame) => {
    const [probability = 0] = await vad.advance([{ stream, frames: frame }])
    frames += 1
    const ms = (frames * vadFrameSamples) / 16
    if (probability > onset && silent >= silenceFrames)
      socket.send(JSON.stringify({ type: 'input_audio_buffer.speech_started', audio_start_ms: ms }))
    silent = probability > onset ? 0 : silent + 1
    if (silent === silenceFrames)
      socket.send(JSON.stringify({ type: 'input_audio_buffer.speech_stopped', audio_end_ms: ms }))
  }
}
