import type { TokenDecoder, Tensors } from '../decoder.ts'
import type { Marks } from './config.ts'

interface Detector {
  readonly decoder: TokenDecoder
  readonly marks: Marks
  readonly among: readonly string[]
}

/** The likeliest of the permitted languages, by the token that the model would write after the start mark. */
export async function detectLanguage({ decoder, marks, among }: Detector, memory: Tensors): Promise<string> {
  const [only] = among
  if (among.length < 2 || marks.languages.size === 0) return only ?? 'en'
  const { logits } = await decoder.prompt(memory, [marks.start], { positions: [0], attentionOf: [] })
  const logitOf = (language: string): number => logits[marks.languages.get(language) ?? -1] ?? -Infinity
  return among.reduce((best, language) => (logitOf(language) > logitOf(best) ? language : best))
}
