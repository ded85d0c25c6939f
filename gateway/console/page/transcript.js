import { element } from './element.js'
import { clock, languageName, speakerName } from './format.js'

/** Below this about every second word is wrong: it is shaded. */
const unsureBelow = 0.6
const voicesColoured = 6
/** A pause after which a reader expects a new paragraph. */
const paragraphPauseSeconds = 2

/**
 * What was said, word by word, with who, when and in which language.
 * @returns {{ node: HTMLElement, words: { word: string, start: number, end: number, node: HTMLElement }[] }}
 */
export function transcript(result, { onJump }) {
  const voices = voicesOf(result)
  const words = []
  const parts = [
    ...result.segments.map((segment) => ({ start: segment.start, segment })),
    ...(result.gaps ?? []).map((gap) => ({ start: gap.start, gap })),
  ].sort((one, other) => one.start - other.start)
  let before
  let heardUntil = 0
  const nodes = parts.map(({ segment, gap }) => {
    if (gap) return gapNode(gap)
    const voice = voiceOf(segment)
    const isNew = voice !== before
    before = voice
    const isParagraph = segment.start - heardUntil >= paragraphPauseSeconds
    heardUntil = segment.end
    return segmentNode(segment, {
      isParagraph,
      voice: isNew ? voice : undefined,
      number: voices.indexOf(voice),
      words,
      onJump,
    })
  })
  const node = element(
    'div',
    {
      class: 'transcript',
      tabindex: '0',
      role: 'group',
      'aria-label': 'Transcript: arrow keys go from word to word, Enter plays from there',
    },
    ...(nodes.length > 0 ? nodes : [element('p', { class: 'quiet' }, 'Nothing was said in this recording.')]),
  )
  node.addEventListener('click', ({ target }) => {
    const at = target.closest?.('.word')?.dataset.at
    if (at !== undefined) onJump(words[Number(at)].start)
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

export function voiceName(voice) {
  const [channel, speaker] = voice.includes('/') ? voice.split('/') : [undefined, voice]
  const name = speaker ? speakerName(speaker) : 'Speaker'
  return channel === undefined ? name : `Side ${Number(channel) + 1}, ${name}`
}

export function voiceClass(number) {
  return `voice-${number % voicesColoured}`
}

function segmentNode(segment, { isParagraph, voice, number, words, onJump }) {
  const { start, language } = segment
  return element(
    'section',
    { class: `segment ${voiceClass(number)}${isParagraph ? ' paragraph' : ''}` },
    voice !== undefined && element('h2', { class: 'voice' }, voiceName(voice)),
    element(
      'div',
      { class: 'line' },
      element(
        'button',
        { type: 'button', class: 'time', 'aria-label': `Play from ${clock(start)}`, onclick: () => onJump(start) },
        clock(start),
      ),
      element('p', { lang: language }, ...wordsAndTags(segment, words)),
      element('span', { class: 'language', title: languageName(language) }, language),
    ),
  )
}

/** Tags stand before the word that they were heard before. */
function wordsAndTags(segment, words) {
  const tags = [...segment.tags].sort((one, other) => one.start - other.start)
  if (segment.words.length === 0) return [segment.text]
  const nodes = []
  for (const word of segment.words) {
    while (tags.length > 0 && tags[0].start <= word.start) nodes.push(tagNode(tags.shift()), ' ')
    const node = wordNode(word, { at: words.length, language: segment.language })
    words.push({ word: word.word, start: word.start, end: word.end, node })
    nodes.push(node, ' ')
  }
  return [...nodes, ...tags.flatMap((tag) => [tagNode(tag), ' '])]
}

function wordNode({ word, punctuated_word: shown = word, language, confidence }, { at, language: around }) {
  const isOther = language !== around && language !== 'und'
  const doubt = confidence < unsureBelow ? ' unsure' : ''
  const remarks = [doubt && `${Math.round(confidence * 100)} % sure`, isOther && languageName(language)].filter(Boolean)
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
  return element('span', { class: 'tag', title: `${clock(start)} to ${clock(end)}` }, `[${type}]`)
}

/** Speech that is not in the words: not understood, or lost with a part that failed. */
function gapNode({ start, end, reason }) {
  const why = gapReasons[reason]
  return element(
    'p',
    { class: 'gap' },
    element('strong', {}, `${clock(start)} to ${clock(end)} ${why ? 'has no words. ' : 'could not be transcribed. '}`),
    why ?? reason ?? '',
  )
}

const gapReasons = {
  'not understood': 'Somebody speaks here, and it was not understood.',
  noise: 'It sounds like noise rather than speech.',
  'other language': 'It seems to be in a language that is not known here.',
}
