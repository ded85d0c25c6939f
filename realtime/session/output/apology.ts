import type { AnswerRequest } from '../../../actors/conversation/ports.ts'
import { FailureError } from '../../../actors/failure.ts'

/** Silence would sound like a line that is dead. */
const sentences: Readonly<Record<string, string>> = {
  hi: 'माफ़ कीजिए, अभी जवाब नहीं मिल पा रहा है। थोड़ी देर में फिर कहिए।',
  en: 'Sorry, I cannot answer just now. Please say it again in a moment.',
}

/** What is said in place of an answer when the conversation model is away or refuses, in the language of the caller. */
export function apologyFor(error: unknown, { turns }: AnswerRequest): string | undefined {
  if (!(error instanceof FailureError)) return undefined
  const { code } = error.failure
  if (code !== 'remote_unavailable' && code !== 'remote_refused') return undefined
  const languages = turns.flatMap((turn) => (turn.kind === 'said' && turn.by === 'user' ? (turn.language ?? []) : []))
  return sentences[languages.at(-1) ?? ''] ?? sentences['en']
}
