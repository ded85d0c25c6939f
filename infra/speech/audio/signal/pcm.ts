/** Samples from -1 to 1 and as 16-bit numbers. In loops: `from` with a function is ten times slower, and keeps a list of all on the heap. */

const fullScale = 32_768

export function toFloat(pcm: Int16Array): Float32Array {
  const samples = new Float32Array(pcm.length)
  for (let index = 0; index < pcm.length; index += 1) samples[index] = pcm[index]! / fullScale
  return samples
}

export function toPcm(samples: Float32Array): Int16Array {
  const pcm = new Int16Array(samples.length)
  for (let index = 0; index < samples.length; index += 1)
    pcm[index] = Math.round(Math.max(-1, Math.min(1, samples[index]!)) * (fullScale - 1))
  return pcm
}
