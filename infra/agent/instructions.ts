import type { AgentLanguage } from './language.ts'

/** What of its instructions the agent can keep to. */
export interface Orders {
  readonly language?: AgentLanguage
  readonly name?: string
  /** Word for word. */
  readonly say?: string
  readonly greeting?: string
  readonly isBrief: boolean
}

const named: readonly (readonly [RegExp, AgentLanguage])[] = [
  [/hinglish|हिंग्लिश/i, 'hinglish'],
  [/\bhindi\b|हिंदी|हिन्दी/i, 'hi'],
  [/\btamil\b|தமிழ்|तमिल/i, 'ta'],
  [/\benglish\b|अंग्रेज़ी|अंग्रेजी/i, 'en'],
]
const speakIn =
  /(?:answer|respond|reply|speak|talk|converse|language|write)[^.\n]{0,40}?\b(?:in|:|is|only)\s+(?:in\s+)?(\w+)|(\S{1,40})\s+(?:में|mein)\s+(?:जवाब|बात|बोल|jawab|baat|bol)|(தமிழில்)/iu
const quote = `["“'‘«]([^"”'’»]{1,400})["”'’»]`
const sayExactly = new RegExp(`\\b(?:say|respond with|reply with|answer with|repeat)\\b[^"“'‘«.]{0,40}${quote}`, 'i')
const greetWith = new RegExp(`\\bgreet\\b[^"“'‘«.]{0,60}${quote}`, 'i')
const yourName = /(?:your name is|you are called|call yourself|आपका नाम|tumhara naam)\s+([\p{L}\p{M}]+)/iu

export function readOrders(instructions: string): Orders {
  const language = languageIn(instructions)
  const greeting = greetWith.exec(instructions)?.[1]
  const say = sayExactly.exec(instructions)?.[1]
  const name = yourName.exec(instructions)?.[1]
  return {
    ...(language && { language }),
    ...(name !== undefined && { name }),
    ...(greeting !== undefined && { greeting }),
    ...(say !== undefined && { say }),
    isBrief: /\b(?:brief|short|concise|one sentence|few words)\b|संक्षेप|छोटा/i.test(instructions),
  }
}

function languageIn(instructions: string): AgentLanguage | undefined {
  const match = speakIn.exec(instructions)
  const word = match?.slice(1).find((one) => one !== undefined)
  return word === undefined ? undefined : named.find(([pattern]) => pattern.test(word))?.[1]
}
