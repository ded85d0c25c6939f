import { read } from './api.js'
import { changedWords, writtenAs } from './changed-words.js'
import { announce, element, notice } from './element.js'
import { say } from './say.js'

/** A correction of more is a sentence told anew, and no name. */
const wordsMax = 3
const marks = /^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu

/**
 * What one word, or a few, were taken for, and what they are; nothing where more was changed.
 * @param {string[]} before
 * @param {string[]} after
 */
export function correctionIn(before, after) {
  const { from, beforeEnd, afterEnd } = changedWords(before, after)
  const bare = (words) => words.map((word) => word.replaceAll(marks, '')).filter(Boolean)
  const [heard, text] = [bare(before.slice(from, beforeEnd)), bare(after.slice(from, afterEnd))]
  const isWord = (words) => words.length > 0 && words.length <= wordsMax
  if (!isWord(heard) || !isWord(text) || heard.join(' ') === text.join(' ')) return undefined
  return { heard: heard.join(' '), text: text.join(' ') }
}

/** Asks after a correction whether the word is to be kept, and looked for in the rest of the recording. */
export function wordsOffer(fileId) {
  const node = element('div', { class: 'words-offer' })
  const close = () => node.replaceChildren()
  const attempt = async (act) => {
    try {
      close()
      await act()
    } catch (error) {
      node.replaceChildren(notice(error.message))
    }
  }
  const ask = (correction) => {
    const button = (words, run) => element('button', { type: 'button', onclick: run }, say(words))
    const add = async () => {
      await keepWord(correction)
      announce(say('words.added', { word: correction.text }))
    }
    node.replaceChildren(
      element(
        'div',
        { class: 'card', role: 'group', 'aria-label': say('words.offer', { word: correction.text }) },
        element('p', {}, say('words.offer', { word: correction.text })),
        element(
          'span',
          { class: 'buttons' },
          button('words.add', () => attempt(add)),
          button('words.addAndLook', () => attempt(() => lookAgain(correction, node, fileId))),
          element('button', { type: 'button', class: 'plain', onclick: close }, say('words.no')),
        ),
      ),
    )
  }
  return {
    node,
    /** A sentence that is written anew, and then asked about. */
    async correct(edits, { one, done, result }) {
      const before = result.segments[one.segment].words.map(writtenAs)
      const correction = correctionIn(before, one.text.split(' '))
      close()
      if ((await edits.change([one], done)) && correction) ask(correction)
    },
  }
}

/** In the first vocabulary, or in one that is made for it; resolves with its id. */
async function keepWord({ heard, text }) {
  const { vocabularies } = await read('/vocabularies')
  const [first] = vocabularies
  const entries = [{ text, spoken: [heard] }]
  if (!first) {
    const made = await read('/vocabularies', { method: 'POST', json: { name: say('frame.words'), entries } })
    return made.vocabulary_id
  }
  const json = { version: first.version, add: entries }
  await read(`/vocabularies/${first.vocabulary_id}`, { method: 'PATCH', json })
  return first.vocabulary_id
}

async function lookAgain(correction, node, fileId) {
  const vocabulary = await keepWord(correction)
  const json = { vocabulary, words: [correction.text] }
  const { chunks, batch } = await read(`/transcribe/results/file/${fileId}/again`, { method: 'POST', json })
  const told = chunks.length === 0 ? say('words.nothing') : say('words.looking', { count: chunks.length })
  announce(told)
  if (batch) window.dispatchEvent(new HashChangeEvent('hashchange'))
  else node.replaceChildren(element('p', { class: 'quiet' }, told))
}
