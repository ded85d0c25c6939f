/** Everything in a session that could grow, with its bound. The names are told to clients in errors. */
export interface SessionLimits {
  /** From the first frame to the error `session_expired`. */
  readonly sessionSeconds: number
  /** Length of one client event, in characters. */
  readonly eventCharacters: number
  /** Of one event, audio aside: values in it, and how deep they lie. */
  readonly eventValues: number
  readonly eventDepth: number
  /** Audio that waits for a commit. */
  readonly bufferSeconds: number
  /** The longest turn that turn detection lets grow; less than the buffer holds. */
  readonly turnSeconds: number
  /** How far ahead of real time a client may append audio; past that it may go on at `appendSpeed` times real time. */
  readonly appendAheadSeconds: number
  readonly appendSpeed: number
  /** Audio of items that is kept for `conversation.item.retrieve`, the newest first. */
  readonly keptAudioSeconds: number
  /** Audio that goes back with items in a minute; past that they come without it. */
  readonly retrievedSecondsPerMinute: number
  /** Items of the conversation, and characters in them; the oldest leave first. */
  readonly items: number
  readonly conversationCharacters: number
  /** Text in one item or one response's own input. */
  readonly itemCharacters: number
  readonly contentParts: number
  readonly itemAudioSeconds: number
  /** Text that is given to the conversation model at once. */
  readonly contextCharacters: number
  readonly instructionCharacters: number
  readonly promptCharacters: number
  /** Of ids, names of models and languages, and single keywords. */
  readonly idCharacters: number
  readonly keywords: number
  readonly urlCharacters: number
  readonly tools: number
  /** Of all tools together, as JSON: they are told back with every change of the settings. */
  readonly toolCharacters: number
  readonly toolDepth: number
  /** Where tool servers may be that a client names, as origins; with none no client names any. */
  readonly toolServerOrigins: readonly string[]
  readonly toolServers: number
  /** Turns that are transcribed at once. */
  readonly transcriptions: number
  /** Audio of turns that nobody asked about yet; the oldest is forgotten first. */
  readonly untranscribedSeconds: number
  /** Responses that run at once, those outside the conversation included. */
  readonly responses: number
  /** Characters of text or arguments in one response. */
  readonly responseCharacters: number
  readonly responsesPerMinute: number
  readonly tokensPerMinute: number
  /** Audio that is sent ahead of its playing. */
  readonly aheadMs: number
  /** Audio in one delta. */
  readonly deltaMs: number
  /** With `semantic_vad`, speech over an answer that lasts longer interrupts it, whatever was said… */
  readonly backchannelMs: number
  /** …as does what nobody knows the words of so long after it was said. */
  readonly backchannelJudgeMs: number
  /** What is said when no more than this of an answer is left is a turn: it may well answer it. */
  readonly backchannelRestMs: number
}

export const defaultSessionLimits: SessionLimits = {
  sessionSeconds: 3_600,
  eventCharacters: 21 * 1_048_576, // 15 MiB of audio as base64, and what is around it
  eventValues: 50_000,
  eventDepth: 100,
  bufferSeconds: 330, // 16 MB at the most
  turnSeconds: 300,
  appendAheadSeconds: 330,
  appendSpeed: 4,
  keptAudioSeconds: 20,
  retrievedSecondsPerMinute: 120,
  items: 1_000,
  conversationCharacters: 1_000_000,
  itemCharacters: 100_000,
  contentParts: 64,
  itemAudioSeconds: 60,
  contextCharacters: 100_000,
  instructionCharacters: 64_000,
  promptCharacters: 4_000,
  idCharacters: 128,
  keywords: 200,
  urlCharacters: 2_048,
  tools: 128,
  toolCharacters: 100_000,
  toolDepth: 32,
  toolServerOrigins: [],
  toolServers: 8,
  transcriptions: 8,
  untranscribedSeconds: 30,
  responses: 4,
  responseCharacters: 100_000,
  responsesPerMinute: 120,
  tokensPerMinute: 1_000_000,
  aheadMs: 1_500,
  deltaMs: 200,
  backchannelMs: 600,
  backchannelJudgeMs: 300,
  backchannelRestMs: 1_000,
}
