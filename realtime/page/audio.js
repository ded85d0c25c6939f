/** The microphone and the loudspeaker, both at the rate of the session. */
const rate = 24000

/** `record` gets each piece of the microphone; `level` gets how loud either is, 0 to 1; `playing` whether there is sound left to play. */
export async function openAudio({ record, level, playing }) {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true },
  })
  const context = new AudioContext({ sampleRate: rate })
  await context.resume()
  await Promise.all([
    context.audioWorklet.addModule('/page/microphone-worklet.js'),
    context.audioWorklet.addModule('/page/speaker-worklet.js'),
  ])
  const microphone = new AudioWorkletNode(context, 'microphone', { numberOfOutputs: 0 })
  microphone.port.onmessage = ({ data }) => {
    level('heard', data.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0) / 32768)
    record(data)
  }
  context.createMediaStreamSource(stream).connect(microphone)
  const speaker = new AudioWorkletNode(context, 'speaker', { numberOfInputs: 0, outputChannelCount: [1] })
  let played = 0
  speaker.port.onmessage = ({ data }) => {
    played = data.played
    level('spoken', data.level)
    playing(data.isPlaying)
  }
  speaker.connect(context.destination)
  return {
    play: (samples) => speaker.port.postMessage(samples),
    /** Silence at once. */
    hush: () => speaker.port.postMessage('stop'),
    playedMs: () => (played / rate) * 1000,
    async close() {
      for (const track of stream.getTracks()) track.stop()
      await context.close()
    },
  }
}
