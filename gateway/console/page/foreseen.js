import { changedWords, writtenAs } from './changed-words.js'

/** Around a word, and not part of it. */
const marks = /^\p{P}+|\p{P}+$/gu

/**
 * What a transcript looks like once a change is made to it, as far as that can be told before the server has made it: who corrects a word or
 * gives a name sees it at once, also in hours of speech.
 * @param {{ result: any, notes: any[] }} seen
 */
export function foreseen(seen, change) {
  switch (change.type) {
    case 'text':
      return { ...seen, result: written(seen.result, change) }
    case 'name':
      return { ...seen, result: named(seen.result, change.speaker, wordsIn(change.name).join(' ')) }
    case 'merge':
      return { ...seen, result: merged(seen.result, change) }
    case 'note':
      return { ...seen, notes: noted(seen.notes, change) }
    case 'remove_note':
      return { ...seen, notes: seen.notes.filter(({ id }) => id !== change.id) }
    default:
      return seen
  }
}

function wordsIn(text) {
  return text.split(/[\s\p{Cc}]+/u).filter((word) => word !== '')
}

function written(result, { segment: at, text }) {
  const segments = result.segments.map((segment, place) => (place === at ? retold(segment, wordsIn(text)) : segment))
  return { ...result, segments }
}

function retold(segment, texts) {
  const { from, beforeEnd, afterEnd } = changedWords(segment.words.map(writtenAs), texts)
  const come = texts.slice(from, afterEnd)
  const words = segment.words.toSpliced(from, beforeEnd - from, ...newWords(come, segment, { from, end: beforeEnd }))
  return { ...segment, words, text: textOf(words, segment.tags) }
}

/** Roughly: when each was said, and in which language, the server tells. */
function newWords(texts, { words, start, end, language }, place) {
  const gone = words.slice(place.from, place.end)
  const from = gone[0]?.start ?? words[place.from - 1]?.end ?? start
  const until = gone.at(-1)?.end ?? words[place.end]?.start ?? end
  const timeAt = (share) => from + (until - from) * share
  return texts.map((text, at) => ({
    word: text.replaceAll(marks, '') || text,
    punctuated_word: text,
    start: timeAt(at / texts.length),
    end: timeAt((at + 1) / texts.length),
    ...(gone.length === texts.length && { start: gone[at].start, end: gone[at].end }),
    language,
    confidence: 1,
  }))
}

/** With its tags, each before the word that it was heard before. */
function textOf(words, tags) {
  const pieces = [
    ...words.map((word) => ({ text: writtenAs(word), start: word.start })),
    ...tags.map(({ type, start }) => ({ text: `[${type}]`, start })),
  ]
  return pieces
    .sort((one, other) => one.start - other.start)
    .map(({ text }) => text)
    .join(' ')
}

function named(result, speaker, name) {
  return spokenBy(result, speaker, (about) => {
    const own = { ...about, speaker_name: name }
    if (name === '') delete own.speaker_name
    return own
  })
}

function merged(result, { speaker, into }) {
  const other = result.segments.find(({ speech_information: about }) => about?.speaker_id === into)
  const name = other?.speech_information.speaker_name ?? ''
  return named(
    spokenBy(result, speaker, (about) => ({ ...about, speaker_id: into })),
    into,
    name,
  )
}

function spokenBy(result, speaker, change) {
  const segments = result.segments.map((segment) => {
    const about = segment.speech_information
    return about?.speaker_id === speaker ? { ...segment, speech_information: change(about) } : segment
  })
  return { ...result, segments }
}

/** A new one gets its id from the server, and cannot be edited until then. */
function noted(notes, { id, at, text }) {
  if (id === undefined) return [...notes, { id: `coming ${notes.length}`, at, text, isComing: true }]
  return notes.map((note) => (note.id === id ? { ...note, at, text } : note))
}
