import { element } from './element.js'
import { clock } from './format.js'
import { formDialog } from './form-dialog.js'
import { say } from './say.js'

/** A note beside what was said at its time. */
export function noteNode(note, { onJump, onEdit }) {
  const { at, text, isComing } = note
  return element(
    'aside',
    { class: `note${isComing ? ' coming' : ''}`, 'aria-label': say('note.at', { time: clock(at) }) },
    element(
      'button',
      {
        type: 'button',
        class: 'time',
        'aria-label': say('player.playFrom', { time: clock(at) }),
        onclick: () => onJump(at),
      },
      clock(at),
    ),
    element('p', {}, text),
    onEdit && element('button', { type: 'button', class: 'plain', onclick: () => onEdit(note) }, say('note.edit')),
  )
}

/**
 * Asks for the text of a note, new or old.
 * @param {{ id?: string, at: number, text?: string }} note
 * @param {(change: object, done: string) => void} onChange
 */
export function noteDialog({ id, at, text = '' }, onChange) {
  const field = element('textarea', { id: 'note-text', rows: '4', maxlength: 2000, required: true })
  field.value = text
  formDialog({
    title: say('note.at', { time: clock(at) }),
    fields: [element('label', { for: 'note-text' }, say('note.field')), field],
    submit: say('dialog.save'),
    onSubmit: () => {
      const written = field.value.trim()
      if (written !== '' && written !== text)
        onChange({ type: 'note', ...(id !== undefined && { id }), at, text: written }, say('note.saved'))
    },
    others:
      id === undefined ? [] : [[say('note.remove'), () => onChange({ type: 'remove_note', id }, say('note.removed'))]],
  })
  field.focus()
}
