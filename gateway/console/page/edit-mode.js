import { element } from './element.js'
import { say } from './say.js'
import { editSentence } from './sentence-editor.js'

/** Whether a click edits a sentence instead of playing it. Words are edited in the script in which they are kept. */
export function editMode({ place, resultOf, change, onEnd }) {
  let isOn = false
  let isOpen = false
  let here = { isPossible: true, wordHere: () => undefined }
  const button = element('button', { type: 'button', 'aria-pressed': 'false' }, say('edit.edit'))
  const set = (on) => {
    isOn = on
    button.setAttribute('aria-pressed', String(isOn))
    place.classList.toggle('editing', isOn)
  }
  button.addEventListener('click', () => set(!isOn))
  const edit = ({ node, segment, place: word }) => {
    isOpen = true
    editSentence({
      line: node.closest('.line'),
      segment: resultOf().segments[segment],
      word,
      onText: (text) => change({ type: 'text', segment, text }, say('edit.changed')),
      onEnd: () => {
        isOpen = false
        onEnd()
      },
    })
  }
  return {
    button,
    edit,
    isOn: () => isOn,
    /** Somebody is writing. */
    isOpen: () => isOpen,
    editHere() {
      const word = here.isPossible ? here.wordHere() : undefined
      if (word) edit(word)
    },
    /** For a transcript that was written anew. */
    show(shown) {
      here = shown
      button.disabled = !shown.isPossible
      button.title = say(shown.isPossible ? 'edit.hint' : 'edit.otherScript')
      set(isOn && shown.isPossible)
    },
  }
}
