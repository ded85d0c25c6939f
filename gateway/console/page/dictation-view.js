import { announce, element, notice } from './element.js'
import { clock, languageName, when } from './format.js'
import { openDictation } from './dictation-session.js'
import { microphoneRate, openMicrophone } from './microphone.js'
import { handOver } from './save-file.js'
import { say } from './say.js'
import { send } from './sendings.js'
import { wavOf } from './wav.js'

const languages = ['hi', 'en', 'ta']
/** What was said stays in the page's memory until it is saved. The server lays a text over half an hour, and the last piece may be beyond this. */
const recordingMaxSeconds = 30 * 60 - 1

/** Speak, see the words while they are spoken, change them, and save them or the sound. */
export async function dictationView(signal) {
  const text = element('textarea', { id: 'dictated', rows: 10, spellcheck: 'true' })
  const live = element('p', { class: 'live', role: 'note', 'aria-label': say('dictation.live') })
  const length = element('span', { class: 'number quiet' }, clock(0))
  const trouble = element('div', {})
  const language = languageChoice()
  const take = openTake({
    onLength: (seconds) => (length.textContent = clock(seconds)),
    onEnd: (reason) => trouble.replaceChildren(notice(say('dictation.ended', { reason: reason || '…' }))),
    onWords: (words) => live.replaceChildren(words),
    onText: (words) => appendTo(text, words),
  })
  const button = element('button', { type: 'button', class: 'strong' }, say('dictation.start'))
  button.addEventListener('click', async () => {
    const isFocused = document.activeElement === button
    button.disabled = true
    trouble.replaceChildren()
    try {
      await (take.isRunning() ? take.stop() : take.start(language.value, signal))
      announce(say(take.isRunning() ? 'dictation.listening' : 'dictation.stopped'))
    } catch (error) {
      if (!signal.aborted) trouble.replaceChildren(notice(error.message))
    }
    show()
    // nobody who has gone elsewhere meanwhile is called back
    if (isFocused && document.activeElement === document.body) button.focus()
  })
  const saving = savingButtons(text, take)
  const show = () => {
    button.disabled = false
    button.textContent = say(take.isRunning() ? 'dictation.stop' : 'dictation.start')
    language.disabled = take.isRunning()
    saving.hidden = take.isRunning() || (text.value === '' && take.pieces().length === 0)
  }
  take.onChange(show)
  text.addEventListener('input', show)
  signal.addEventListener('abort', () => void take.stop(), { once: true })
  show()
  return element(
    'section',
    { class: 'dictation' },
    element('h1', {}, say('dictation.title')),
    element('p', { class: 'quiet' }, say('dictation.lead')),
    element(
      'div',
      { class: 'field' },
      element('label', { for: 'dictated-language' }, say('dictation.language')),
      language,
      button,
      length,
    ),
    trouble,
    element('label', { for: 'dictated' }, say('dictation.text')),
    text,
    live,
    saving,
  )
}

function languageChoice() {
  return element(
    'select',
    { id: 'dictated-language' },
    element('option', { value: '' }, say('dictation.findOut')),
    ...languages.map((code) => element('option', { value: code }, languageName(code))),
  )
}

/** One recording, in as many goes as its speaker likes. */
function openTake({ onLength, onEnd, onWords, onText }) {
  const pieces = []
  let samples = 0
  let running
  let changed = () => undefined
  const stop = async () => {
    const ending = running
    running = undefined
    await ending?.microphone.close()
    await ending?.session.close()
    onWords('')
    changed()
  }
  const record = (piece) => {
    if (!running) return
    pieces.push(piece)
    samples += piece.length
    running.session.record(piece)
    onLength(samples / microphoneRate)
    if (samples >= recordingMaxSeconds * microphoneRate) void stop()
  }
  return {
    isRunning: () => running !== undefined,
    pieces: () => pieces,
    onChange: (act) => (changed = act),
    stop,
    async start(language, signal) {
      const ended = (reason) => {
        if (running?.session !== session) return
        void stop()
        onEnd(reason)
      }
      const session = await openDictation({ language, partial: onWords, final: onText, ended, signal })
      const microphone = await openMicrophone(record).catch((error) => {
        void session.close()
        throw error
      })
      running = { session, microphone }
      // who left while the browser asked for the microphone does not want it any more
      if (signal.aborted) await stop()
    },
  }
}

/** At the end, wherever its reader is changing something. */
function appendTo(text, words) {
  const end = text.value.length
  const space = end === 0 || /\s$/.test(text.value) ? '' : ' '
  text.setRangeText(space + words, end, end, 'preserve')
}

/** As they were left, a line for each sentence: the recording gets these words, and only their times are looked for. */
function wordsOf(text) {
  const lines = text.trim().replaceAll(/(?<=[।.?!])\s+/g, '\n')
  return lines === '' ? {} : { text: lines }
}

function savingButtons(text, take) {
  const name = () => say('dictation.name', { when: when(new Date()).replaceAll(/[:/\\]/g, '.') })
  const sound = () => wavOf(take.pieces(), microphoneRate)
  const keep = () => {
    const words = wordsOf(text.value)
    send([new File([sound()], `${name()}.wav`, { type: 'audio/wav' })], (sources) => ({ ...words, sources }))
    location.hash = '#/'
  }
  const asText = () => handOver(new Blob([text.value], { type: 'text/plain;charset=utf-8' }), `${name()}.txt`)
  return element(
    'div',
    { class: 'field' },
    ...[
      ['dictation.saveText', asText],
      ['dictation.saveSound', () => handOver(sound(), `${name()}.wav`)],
      ['dictation.keep', keep],
    ].map(([key, act]) => element('button', { type: 'button', onclick: act }, say(key))),
  )
}
