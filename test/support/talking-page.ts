import { englishFixture } from './english.ts'
import { writeWav } from './wav-file.ts'

const rate = 16_000

/** A sentence, so much silence, and so on for as long as the browser listens. */
export async function aMicrophone(path: string, silenceSeconds: number): Promise<string> {
  const { samples: speech } = await englishFixture()
  const samples = new Float32Array(speech.length + silenceSeconds * rate)
  samples.set(speech, rate)
  return writeWav(path, samples)
}
