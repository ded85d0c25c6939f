import type { Tokenizer } from '../../infra/speech/asr/whisper/tokenizer.ts'
import { readTokenizer } from '../../infra/speech/asr/whisper/tokenizer.ts'

/** A byte-level vocabulary of the 256 bytes, some whole words, and Whisper's marks behind them. */
export function aTokenizer(words: readonly string[] = []): Tokenizer {
  const alphabet = byteAlphabet()
  const spell = (text: string): string[] => Array.from(new TextEncoder().encode(text), (byte) => alphabet[byte]!)
  const vocab: Record<string, number> = {}
  const merges: string[] = []
  for (const letter of alphabet) vocab[letter] = Object.keys(vocab).length
  for (const word of words) {
    const letters = spell(word)
    for (let length = 2; length <= letters.length; length++) {
      const merged = letters.slice(0, length).join('')
      if (merged in vocab) continue
      merges.push(`${letters.slice(0, length - 1).join('')} ${letters[length - 1]}`)
      vocab[merged] = Object.keys(vocab).length
    }
  }
  const first = Object.keys(vocab).length
  const marks = [
    '<|endoftext|>',
    '<|startoftranscript|>',
    '<|en|>',
    '<|hi|>',
    '<|translate|>',
    '<|transcribe|>',
    '<|startoflm|>',
    '<|startofprev|>',
    '<|nospeech|>',
    '<|notimestamps|>',
    ...Array.from({ length: 1501 }, (_, i) => `<|${(i * 0.02).toFixed(2)}|>`),
  ]
  return readTokenizer({
    added_tokens: marks.map((content, index) => ({ id: first + index, content })),
    model: { vocab, merges },
  })
}

function byteAlphabet(): string[] {
  const printable = (byte: number): boolean => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173)
  let next = 256
  return Array.from({ length: 256 }, (_, byte) => String.fromCodePoint(printable(byte) ? byte : next++))
}
