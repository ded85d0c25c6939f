import { createServer } from 'node:http'
import { homedir } from 'node:os'
import { monitorEventLoopDelay } from 'node:perf_hooks'

import { WebSocketServer } from 'ws'

import { createResampler } from '../../../actors/sound/resample.ts'
import { cacheFolder } from '../../../infra/cache-folder.ts'
import { openStore } from '../../../infra/speech/open-store.ts'
import { vadFrameSamples } from '../../../infra/speech/vad/segments.ts'
import { openSilero, vadStream } from '../../../infra/speech/vad/silero.ts'

/** The comparison: the same network and the same rules for turns, on the event loop, one frame of one client at a time. */
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
  const stream = vadStream()
  const resampler = createResampler(24_000, 16_000)
  let waiting: number[] = []
  let frames = 0
  let silent = silenceFrames
  let turn = Promise.resolve()

  async function look(frame: Float32Array): Promise<void> {
    const [probability = 0] = await vad.advance([{ stream, frame }])
    frames += 1
    const ms = (frames * vadFrameSamples) / 16
    if (probability > onset && silent >= silenceFrames)
      socket.send(JSON.stringify({ type: 'input_audio_buffer.speech_started', audio_start_ms: ms }))
    silent = probability > onset ? 0 : silent + 1
    if (silent === silenceFrames)
      socket.send(JSON.stringify({ type: 'input_audio_buffer.speech_stopped', audio_end_ms: ms }))
  }

  socket.on('message', (data: Buffer) => {
    const event = JSON.parse(data.toString()) as { type: string; audio?: string }
    if (event.type !== 'input_audio_buffer.append' || event.audio === undefined) return
    const bytes = Buffer.from(event.audio, 'base64')
    const samples = Float32Array.from({ length: bytes.length / 2 }, (_, at) => bytes.readInt16LE(2 * at) / 32_768)
    waiting.push(...resampler.push(samples))
    while (waiting.length >= vadFrameSamples) {
      const frame = Float32Array.from(waiting.slice(0, vadFrameSamples))
      waiting = waiting.slice(vadFrameSamples)
      turn = turn.then(() => look(frame))
    }
  })
  socket.send(JSON.stringify({ type: 'session.created' }))
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number } // as: it listens on a port
  process.send?.({ url: `http://127.0.0.1:${port}` })
})
process.once('SIGTERM', () => process.exit(0))
