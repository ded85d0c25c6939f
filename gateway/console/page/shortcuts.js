import { element } from './element.js'
import { formDialog } from './form-dialog.js'
import { say } from './say.js'

/** Keys, where they have no name that everyone writes alike, and what they do, are texts. */
const hearing = [
  ['keys.space', 'keys.play'],
  ['keys.arrows', 'keys.step'],
  ['keys.l', 'keys.loop'],
]
const reading = [
  ['keys.slash', 'keys.search'],
  ['keys.arrowsInText', 'keys.words'],
]
const writing = [
  ['keys.e', 'keys.edit'],
  ['keys.n', 'keys.note'],
  ['keys.controlZ', 'keys.undo'],
]

/** Those of a page on which a recording may be heard, or corrected. */
export function showShortcuts({ canHear = true, canWrite = true } = {}) {
  const keys = [
    ...(canHear ? hearing : []),
    ...reading,
    ...(canWrite ? writing : []),
    ['keys.questionMark', 'keys.help'],
  ]
  formDialog({
    title: say('keys.title'),
    fields: [
      element('dl', {}, ...keys.flatMap(([key, what]) => [element('dt', {}, say(key)), element('dd', {}, say(what))])),
    ],
  })
}
