import { element } from './element.js'
import { formDialog } from './form-dialog.js'

const hearing = [
  ['Space', 'play or pause'],
  ['← →', 'five seconds back or forth'],
  ['L', 'the sentence that is played, again and again'],
]
const reading = [
  ['/', 'search; Enter goes to the next place, Shift+Enter to the one before'],
  ['← → in the transcript', 'from word to word; Enter plays from there'],
]
const writing = [
  ['E', 'edit the sentence at the word that is marked or played'],
  ['N', 'write a note at the time that is played'],
  ['Ctrl+Z', 'undo the last change; Ctrl+Y, or Ctrl+Shift+Z, makes it again'],
]

/** Those of a page on which a recording may be heard, or corrected. */
export function showShortcuts({ canHear = true, canWrite = true } = {}) {
  const keys = [...(canHear ? hearing : []), ...reading, ...(canWrite ? writing : []), ['?', 'this list']]
  formDialog({
    title: 'Keyboard',
    fields: [element('dl', {}, ...keys.flatMap(([key, what]) => [element('dt', {}, key), element('dd', {}, what)]))],
  })
}
