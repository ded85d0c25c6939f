import { cleanText } from './clean-text.js'
import { copyButton } from './copy-button.js'
import { allForms } from './downloads.js'
import { editMode } from './edit-mode.js'
import { openEdits } from './edits.js'
import { element, notice } from './element.js'
import { keepInSight } from './highlight.js'
import { inquiriesPanel } from './inquiries.js'
import { pageKeys, wordKeys } from './keys.js'
import { legend } from './legend.js'
import { listening } from './listening.js'
import { noteDialog } from './notes.js'
import { placesIn } from './places-in.js'
import { say } from './say.js'
import { scriptSwitch } from './scripts.js'
import { searchBox } from './search.js'
import { shareButton } from './share-dialog.js'
import { showShortcuts } from './shortcuts.js'
import { speakerDialog } from './speaker-dialog.js'
import { toolbar } from './toolbar.js'
import { transcript, voiceNames, voicesOf } from './transcript.js'
import { unredactedSwitch } from './unredacted.js'
import { wordAt } from './word-index.js'
import { wordsOffer } from './words-offer.js'

/**
 * A transcript to be read, heard, corrected and taken away. `readAgain` reads it once more, in the script that is given.
 * @returns {Node[]}
 */
export function reading(file, { signal, at, readAgain }) {
  const undo = () => void paper.edits.undo()
  const redo = () => void paper.edits.redo()
  const turning = turningButtons({ undo, redo })
  const paper = openPaper(file, { signal, readAgain, onWritten: (edits) => turning.show(edits) })
  const { sound, search, editing, resultOf } = paper
  const note = () => paper.editNote({ at: Math.floor(sound.now() * 10) / 10 })
  const tools = toolbar(file.filename, {
    search: search.node,
    path: `/transcribe/results/file/${file.file_id}`,
    forms: allForms,
    help: showShortcuts,
    buttons: [
      copyButton(() => cleanText(resultOf())),
      shareButton(file.file_id),
      editing.button,
      element('button', { type: 'button', onclick: note }, say('note.new')),
      ...turning.buttons,
    ],
    ready: paper.edits.settled,
    queryOf: () => ({ script: resultOf().script, speech_information: 'true' }),
  })
  pageKeys(
    {
      player: sound,
      search,
      edit: () => editing.editHere(),
      note,
      undo,
      redo,
      help: showShortcuts,
    },
    signal,
  )
  if (at !== undefined) comeTo(at, { sound, words: paper.wordsOf() })
  const scripts = scriptSwitch(file.result, (script) => paper.edits.choose(script))
  const unredacted = unredactedSwitch(file, { place: paper.place, playFrom: sound.playFrom, signal })
  return [
    tools,
    element('div', { class: 'choices' }, paper.legend, unredacted.control, scripts),
    ...file.result.warnings.map((warning) => element('p', { class: 'warning' }, warning)),
    inquiriesPanel(file.file_id, { playFrom: sound.playFrom, signal }),
    paper.trouble,
    paper.offer,
    paper.place,
    unredacted.node,
    sound.node,
  ]
}

/** Back and forth, as far as there is something. */
function turningButtons({ undo, redo }) {
  const back = element('button', { type: 'button', onclick: undo }, say('edit.undo'))
  const forth = element('button', { type: 'button', onclick: redo }, say('edit.redo'))
  return {
    buttons: [back, forth],
    show({ canUndo, canRedo }) {
      const focused = document.activeElement
      back.disabled = !canUndo()
      forth.disabled = !canRedo()
      // a button that is of no more use would leave the keyboard at the top of the page
      if (focused === back && back.disabled) forth.focus()
      if (focused === forth && forth.disabled) back.focus()
    },
  }
}

const inSight = (word) => keepInSight(word.node)

/** What is written, with everything that is done to it. */
function openPaper(file, { signal, readAgain, onWritten }) {
  let result = file.result
  let words = []
  let later
  let shown
  let cursor
  const [place, legendPlace, trouble] = ['transcript-place', 'legend-place', 'trouble'].map(emptyPlace)
  const { sound, playFrom } = listening({ ...heardOf(file), signal, wordsOf: () => words })
  const search = searchBox(() => words, { onGo: inSight, soundsLike: placesIn(file.file_id, signal) })
  const edits = openEdits(file, {
    readAgain,
    // who writes at this moment is not disturbed
    onChanged: (seen) => (editing.isOpen() ? (later = seen) : write(seen)),
    onTrouble: (message) => trouble.replaceChildren(notice(message)),
  })
  const change = (one, done) => {
    trouble.replaceChildren()
    void edits.change([one], done)
  }
  const onEnd = () => {
    if (later) write(later)
    place.querySelector('.transcript')?.focus({ preventScroll: true })
  }
  const offer = wordsOffer(file.file_id)
  const correct = (one, done) => (trouble.replaceChildren(), void offer.correct(edits, { one, done, result }))
  const editing = editMode({ place, resultOf: () => result, change: correct, onEnd })
  const editNote = (note) => noteDialog(note, change)
  const onWord = (word) => (editing.isOn() ? editing.edit(word) : playFrom(word.start))

  function write({ result: next, notes }) {
    later = undefined
    result = next
    if (shown) shown.update(result, notes)
    else shown = transcript(result, { notes, onJump: playFrom, onWord, onNote: editNote })
    words = shown.words()
    sound.know(result)
    cursor ??= wordKeys(shown.node, () => words, { toggle: sound.toggle, onWord })
    const wordHere = () => words[cursor()] ?? words[Math.max(0, wordAt(words, sound.now()))]
    editing.show({ isPossible: result.script === file.result.script, wordHere })
    replaceLegend(legendPlace, legend(result, { place, onSpeaker: (voice) => askAbout(result, voice, change) }))
    if (place.firstChild !== shown.node) place.replaceChildren(shown.node)
    search.refresh()
    onWritten(edits)
  }
  write(edits.seen())
  stayUntilMade(edits, signal)
  return {
    place,
    legend: legendPlace,
    trouble,
    offer: offer.node,
    sound,
    search,
    editing,
    editNote,
    resultOf: () => result,
    wordsOf: () => words,
    edits,
  }
}

/** Of all that is under way only the first would come to the server when the page is closed: the browser asks first. */
function stayUntilMade(edits, signal) {
  window.addEventListener('beforeunload', (event) => edits.isUnderWay() && event.preventDefault(), { signal })
}

/** Who is in it stays there. */
function replaceLegend(legendPlace, next) {
  const parts = () => [...legendPlace.querySelectorAll('button, input')]
  const at = parts().indexOf(document.activeElement)
  legendPlace.replaceChildren(next)
  if (at >= 0) (parts()[at] ?? parts()[0])?.focus()
}

function emptyPlace(name) {
  return element('div', { class: name })
}

function heardOf({ file_id: fileId, result, waveform: loudness }) {
  return { path: `/files/${fileId}/audio`, result, loudness }
}

/** What a speaker is called, or who they are the same as. */
function askAbout(result, voice, onChange) {
  const names = voiceNames(result)
  const labelled = (one) => ({ id: one, label: names.get(one) })
  const own = result.segments.find(({ speech_information: about }) => about?.speaker_id === voice)
  const others = voicesOf(result).filter((one) => one !== '' && one !== voice)
  speakerDialog({
    speaker: { ...labelled(voice), name: own?.speech_information?.speaker_name },
    others: others.map(labelled),
    onChange,
  })
}

/** After the page is shown, which begins at its top. */
function comeTo(seconds, { sound, words }) {
  sound.goTo(seconds)
  const word = words[wordAt(words, seconds)]
  if (word) requestAnimationFrame(() => keepInSight(word.node))
}
