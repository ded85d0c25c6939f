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
 * @returns {{ node: HTMLElement, words: () => ReturnType<typeof placedWord>[], update: (result: any, notes: any[]) => void }}
 */
export function transcript(result, { notes, onJump, onWord, onNote }) {
  const sight = wordsOnSight()
  const wordOf = new WeakMap()
  const node = element('div', {
    class: 'transcript',
    tabindex: '0',
    role: 'group',
    'aria-label': say(onNote ? 'transcript.toEdit' : onJump ? 'transcript.toHear' : 'transcript.toRead'),
  })
  const nodeFor = (part) => {
    const { gap, note, segment } = part
    if (segment) return segmentNode(part, { sight, wordOf, onJump })
    return gap ? gapNode(gap) : noteNode(note, { onJump, onEdit: onNote })
  }
  const begin = (part, at) => {
    const fill = () => {
      growth.growTo(at + 1)
      sight.fill(part.node)
    }
    part.words = part.segment?.words.map((word, place) => placedWord(word, { segment: part.at, place, fill })) ?? []
    return part
  }
  let parts = partsOf(result, notes).map(begin)
  const growth = growIn(
    node,
    parts.map((part) => () => (part.node = nodeFor(part))),
  )
  const atFirst = parts.length
  const silent = element('p', { class: 'quiet' }, say('transcript.silent'))
  if (atFirst === 0) node.append(silent)
  node.addEventListener('click', ({ target }) => {
    const word = wordOf.get(target.closest?.('.word') ?? target)
    if (word) onWord?.(word)
  })
  return {
    node,
    words: () => parts.flatMap(({ words }) => words),
    /** Writes anew only what looks otherwise: all of three hours takes a second. */
    update(next, nextNotes) {
      growth.growTo(atFirst)
      const before = new Map(parts.map((part) => [part.id, part]))
      parts = partsOf(next, nextNotes).map((part) => {
        const old = before.get(part.id)
        if (old && isSame(old.look, part.look)) return called(old, part.name)
        begin(part, 0)
        part.node = nodeFor(part)
        if (old) sight.replace(old.node, part.node)
        return part
      })
      putInOrder(node, parts.length === 0 ? [silent] : parts.map((part) => part.node))
    },
  }
}

/** What is shown one below the other. What has the same `id` and `look` is shown alike, but for the name above it. */
function partsOf(result, notes) {
  const voices = voicesOf(result)
  const names = voiceNames(result)
  let before
  let heardUntil = 0
  const said = result.segments.map((segment, at) => {
    const voice = voiceOf(segment)
    const name = voice === before ? undefined : names.get(voice)
    before = voice
    const isParagraph = segment.start - heardUntil >= paragraphPauseSeconds
    heardUntil = segment.end
    const number = voices.indexOf(voice)
    const { start, text, language, words, tags } = segment
    const look = { start, text, language, words, tags, isParagraph, number, isNamed: name !== undefined }
    return { id: `segment ${at}`, look, segment, at, name, isParagraph, number, start }
  })
  return [
    ...notes.map((note) => ({ id: `note ${note.id}`, look: note, note, start: note.at })),
    ...said,
    ...(result.gaps ?? []).map((gap, at) => ({ id: `gap ${at}`, look: gap, gap, start: gap.start })),
  ].sort((one, other) => one.start - other.start)
}

function called(part, name) {
  if (name !== undefined && part.name !== name) part.node.querySelector('.voice').textContent = name
  part.name = name
  return part
}

function isSame(one, other) {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => isSame(one[key], other[key]))
}

/** What stays where it is is not touched: whoever reads there is not moved, and it is not laid out again. */
function putInOrder(parent, nodes) {
  const wanted = new Set(nodes)
  const gone = Array.from(parent.childNodes).filter((child) => !wanted.has(child))
  for (const child of gone) child.remove()
  let here = parent.firstChild
  for (const node of nodes) {
    if (node === here) here = here.nextSibling
    else parent.insertBefore(node, here)
  }
}

export function voicesOf({ segments }) {
  return [...new Set(segments.map(voiceOf))]
}

/** The id of a voice, which the sides of a call have also before anybody knows more of them. */
function voiceOf({ channel, speech_information: about }) {
  return about?.speaker_id ?? (channel === undefined ? '' : `channel_${channel}`)
}

/** What each voice is called: as somebody named it, or by its number. */
export function voiceNames({ segments }) {
  return new Map(
    segments.map((segment) => {
      const voice = voiceOf(segment)
      return [voice, segment.speech_information?.speaker_name ?? nameOf(voice)]
    }),
  )
}

function nameOf(voice) {
  return voice === '' ? say('transcript.speaker') : speakerName(voice)
}

export function voiceClass(number) {
  return `voice-${number % voicesColoured}`
}

function segmentNode({ segment, isParagraph, name, number, words }, { sight, wordOf, onJump }) {
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
  sight.add(node, () => sentence.replaceChildren(...wordsAndTags(segment, { words, wordOf })))
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
function wordsAndTags(segment, { words, wordOf }) {
  const tags = [...segment.tags].sort((one, other) => one.start - other.start)
  if (segment.words.length === 0) return [segment.text]
  const nodes = []
  for (const [place, word] of segment.words.entries()) {
    while (tags.length > 0 && tags[0].start <= word.start) nodes.push(tagNode(tags.shift()), ' ')
    const node = wordNode(word, segment.language)
    words[place].become(node)
    wordOf.set(node, words[place])
    nodes.push(node, ' ')
  }
  return [...nodes, ...tags.flatMap((tag) => [tagNode(tag), ' '])]
}

function wordNode({ word, punctuated_word: shown = word, language, confidence }, around) {
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
    `[${say(tagWords[type])}]`,
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

const tagWords = { pause: 'tag.pause', laughing: 'tag.laughing', shouting: 'tag.shouting' }

const gapReasons = {
  'not understood': 'gap.notUnderstood',
  noise: 'gap.noise',
  'other language': 'gap.otherLanguage',
}
