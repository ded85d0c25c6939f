import { element } from './element.js'
import { clock, languageName, percent, speakerName } from './format.js'
import { growIn } from './grow.js'
import { noteNode } from './notes.js'
import { say } from './say.js'
import { placedWord, wordsOnSight } from './words-on-sight.js'

/** Below this about every second word is wrong: it is shaded. */
const unsureBelow = 0.6
const voicesColoured = 6
/** A pause after which a reader expects a new paragraph. */
const paragraphPauseSeconds = 2

/**
 * What was said, word by word, with who, when and in which language; and the notes that were made.
 * `onJump` is told the second to be heard, `onWord` which word was chosen, `onNote` which note is to be edited, each where that is possible.
 * `isWhole`: nothing of it is made later.
 * @returns {{ node: HTMLElement, words: ReturnType<typeof placedWord>[] }}
 */
export function transcript(result, { notes, onJump, onWord, onNote, isWhole }) {
  const voices = voicesOf(result)
  const names = voiceNames(result)
  const words = []
  const sight = wordsOnSight()
  const parts = [
    ...notes.map((note) => ({ start: note.at, note })),
    ...result.segments.map((segment, at) => ({ start: segment.start, segment, at })),
    ...(result.gaps ?? []).map((gap) => ({ start: gap.start, gap })),
  ].sort((one, other) => one.start - other.start)
  let before
  let heardUntil = 0
  const makers = parts.map(({ segment, gap, note, at }, part) => {
    if (gap) return () => gapNode(gap)
    if (note) return () => noteNode(note, { onJump, onEdit: onNote })
    const voice = voiceOf(segment)
    const name = voice === before ? undefined : names.get(voice)
    before = voice
    const isParagraph = segment.start - heardUntil >= paragraphPauseSeconds
    heardUntil = segment.end
    const first = words.length
    const fill = () => sight.fill(nodeOf(part))
    for (const [place, word] of segment.words.entries()) words.push(placedWord(word, { segment: at, place, fill }))
    const number = voices.indexOf(voice)
    return () => segmentNode(segment, { isParagraph, name, number, words, first, sight, onJump })
  })
  const node = element('div', {
    class: 'transcript',
    tabindex: '0',
    role: 'group',
    'aria-label': say(onNote ? 'transcript.toEdit' : onJump ? 'transcript.toHear' : 'transcript.toRead'),
  })
  const nodeOf = growIn(node, makers, { isWhole })
  if (makers.length === 0) node.append(element('p', { class: 'quiet' }, say('transcript.silent')))
  node.addEventListener('click', ({ target }) => {
    const at = target.closest?.('.word')?.dataset.at
    if (at !== undefined) onWord?.(words[Number(at)])
  })
  return { node, words }
}

export function voicesOf({ segments }) {
  return [...new Set(segments.map(voiceOf))]
}

/** The sides of a call are told apart by their channel, other voices by their sound. */
function voiceOf({ channel, speech_information: about }) {
  const voice = about?.speaker_id ?? ''
  return channel === undefined ? voice : `${channel}/${voice}`
}

/** What each voice is called: as somebody named it, or by its number. */
export function voiceNames({ segments }) {
  return new Map(
    segments.map((segment) => {
      const voice = voiceOf(segment)
      return [voice, segment.speech_information?.speaker_name ?? voiceName(voice)]
    }),
  )
}

function voiceName(voice) {
  const [channel, speaker] = voice.includes('/') ? voice.split('/') : [undefined, voice]
  const name = speaker ? speakerName(speaker) : say('transcript.speaker')
  return channel === undefined ? name : say('transcript.side', { number: Number(channel) + 1, name })
}

export function voiceClass(number) {
  return `voice-${number % voicesColoured}`
}

function segmentNode(segment, { isParagraph, name, number, words, first, sight, onJump }) {
  const { start, language } = segment
  const sentence = element('p', { lang: language }, segment.text)
  const node = element(
    'section',
    { class: `segment ${voiceClass(number)}${isParagraph ? ' paragraph' : ''}` },
    name !== undefined && element('h2', { class: 'voice' }, name),
    element(
      'div',
      { class: 'line' },
      onJump ? timeButton(start, onJump) : element('span', { class: 'time' }, clock(start)),
      sentence,
      element('span', { class: 'language', title: languageName(language) }, language),
    ),
  )
  sight.add(node, () => sentence.replaceChildren(...wordsAndTags(segment, { words, first })))
  return node
}

function timeButton(start, onJump) {
  const about = {
    type: 'button',
    class: 'time',
    // one stop for the whole transcript: its words are reached by arrow keys
    tabindex: '-1',
    'aria-label': say('player.playFrom', { time: clock(start) }),
  }
  return element('button', { ...about, onclick: () => onJump(start) }, clock(start))
}

/** Tags stand before the word that they were heard before. */
function wordsAndTags(segment, { words, first }) {
  const tags = [...segment.tags].sort((one, other) => one.start - other.start)
  if (segment.words.length === 0) return [segment.text]
  const nodes = []
  for (const [place, word] of segment.words.entries()) {
    while (tags.length > 0 && tags[0].start <= word.start) nodes.push(tagNode(tags.shift()), ' ')
    const node = wordNode(word, { at: first + place, language: segment.language })
    words[first + place].become(node)
    nodes.push(node, ' ')
  }
  return [...nodes, ...tags.flatMap((tag) => [tagNode(tag), ' '])]
}

function wordNode({ word, punctuated_word: shown = word, language, confidence }, { at, language: around }) {
  const isOther = language !== around && language !== 'und'
  const doubt = confidence < unsureBelow ? ' unsure' : ''
  const remarks = [
    doubt && say('transcript.sure', { percent: percent(confidence) }),
    isOther && languageName(language),
  ].filter(Boolean)
  return element(
    'span',
    {
      class: `word in-${language}${doubt}${isOther ? ' other' : ''}`,
      'data-at': at,
      ...(isOther && { lang: language }),
      ...(remarks.length > 0 && { title: remarks.join(', ') }),
    },
    shown,
  )
}

function tagNode({ type, start, end }) {
  return element(
    'span',
    { class: 'tag', title: say('transcript.span', { start: clock(start), end: clock(end) }) },
    `[${type}]`,
  )
}

/** Speech that is not in the words: not understood, or lost with a part that failed. */
function gapNode({ start, end, reason }) {
  const why = gapReasons[reason]
  return element(
    'p',
    { class: 'gap' },
    element('strong', {}, say(why ? 'gap.wordless' : 'gap.failed', { start: clock(start), end: clock(end) })),
    ` ${why ? say(why) : (reason ?? '')}`,
  )
}

const gapReasons = {
  'not understood': 'gap.notUnderstood',
  noise: 'gap.noise',
  'other language': 'gap.otherLanguage',
}
