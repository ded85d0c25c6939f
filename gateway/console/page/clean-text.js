import { writtenAs } from './changed-words.js'

/** A pause after which a reader expects a new paragraph. */
const paragraphPauseSeconds = 2

/** What was said and nothing else: no times, no tags, no languages; a paragraph for each voice and after each long pause. */
export function cleanText({ segments }) {
  const paragraphs = []
  let before
  for (const segment of segments) {
    const text = textOf(segment)
    if (text === '') continue
    const voice = `${segment.channel ?? ''}/${segment.speech_information?.speaker_id ?? ''}`
    const isNew = !before || before.voice !== voice || segment.start - before.end >= paragraphPauseSeconds
    if (isNew) paragraphs.push(text)
    else paragraphs.push(`${paragraphs.pop()} ${text}`)
    before = { voice, end: segment.end }
  }
  return paragraphs.join('\n\n')
}

/** A segment without words has its text only. */
function textOf({ words, text }) {
  if (words.length === 0) return text.replaceAll(/\[\w+\]/g, '').trim()
  return words.map(writtenAs).join(' ')
}
