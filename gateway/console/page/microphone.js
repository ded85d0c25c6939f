import { say } from './say.js'

/** At which the server takes sound. */
export const microphoneRate = 24_000

/**
 * The microphone of whoever looks at the page, until it is closed.
 * @param {(samples: Int16Array) => void} record gets each piece
 */
export async function openMicrophone(record) {
  if (!navigator.mediaDevices) throw new Error(say('dictation.needsTls'))
  const wanted = { audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true } }
  const stream = await navigator.mediaDevices.getUserMedia(wanted).catch(() => {
    throw new Error(say('dictation.noMicrophone'))
  })
  const context = new AudioContext({ sampleRate: microphoneRate })
  const close = async () => {
    for (const track of stream.getTracks()) track.stop()
    await context.close()
  }
  try {
    await context.resume()
    await context.audioWorklet.addModule('/console/microphone-worklet.js')
  } catch (error) {
    await close()
    throw error
  }
  const microphone = new AudioWorkletNode(context, 'microphone', { numberOfOutputs: 0 })
  microphone.port.addEventListener('message', ({ data }) => record(data))
  microphone.port.start()
  context.createMediaStreamSource(stream).connect(microphone)
  return { close }
}
