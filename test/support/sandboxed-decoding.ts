import { fileURLToPath } from 'node:url'

import { checkSandbox, sandboxState } from '../../infra/process/sandbox.ts'
import { createDecoder } from '../../infra/speech/audio/decode.ts'
import { silentLog } from './silent-log.ts'

/** Tells how far children are kept apart where it is started, whether that would be enough, and what is decoded there. */
function refusal(): string {
  try {
    checkSandbox('required', silentLog)
    return ''
  } catch (error) {
    return String(error)
  }
}

const recording = fileURLToPath(new URL('../../../infra/samples/hinglish.wav', import.meta.url))
const decoder = createDecoder()
let samples = 0
for await (const block of await decoder.decode(recording, { channels: 'mix' })) samples += block[0]?.length ?? 0
process.stdout.write(JSON.stringify({ state: sandboxState(), refusal: refusal(), seconds: samples / 16_000 }))
await decoder.close()
