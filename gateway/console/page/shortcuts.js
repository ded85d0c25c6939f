import { element } from './element.js'
import { formDialog } from './form-dialog.js'

const keys = [
  ['Space', 'play or pause'],
  ['← →', 'five seconds back or forth'],
  ['/', 'search; Enter goes to the next place, Shift+Enter to the one before'],
  ['← → in the transcript', 'from word to word; Enter plays from there'],
  ['E', 'edit the sentence at the word that is marked or played'],
  ['N', 'write a note at the time that is played'],
  ['Ctrl+Z', 'undo the last change'],
  ['?', 'this list'],
]

export function showShortcuts() {
  formDialog({
    title: 'Keyboard',
    fields: [element('dl', {}, ...keys.flatMap(([key, what]) => [element('dt', {}, key), element('dd', {}, what)]))],
  })
}
