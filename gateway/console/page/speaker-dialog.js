import { element } from './element.js'
import { formDialog } from './form-dialog.js'

/**
 * What a speaker is called everywhere, or who they are the same as.
 * @param {{ speaker: { id: string, label: string, name?: string }, others: { id: string, label: string }[], onChange: (change: object, done: string) => void }} given
 */
export function speakerDialog({ speaker, others, onChange }) {
  const name = element('input', { id: 'speaker-name', type: 'text', maxlength: 100, value: speaker.name ?? '' })
  const same = element(
    'select',
    { id: 'speaker-same' },
    element('option', { value: '' }, 'nobody else here'),
    ...others.map(({ id, label }) => element('option', { value: id }, label)),
  )
  const keep = () => {
    if (same.value !== '')
      return onChange({ type: 'merge', speaker: speaker.id, into: same.value }, `${speaker.label} is no longer apart.`)
    if (name.value.trim() === (speaker.name ?? '')) return
    onChange({ type: 'name', speaker: speaker.id, name: name.value }, `${speaker.label} has another name.`)
  }
  formDialog({
    title: speaker.label,
    fields: [
      element('label', { for: 'speaker-name' }, 'Name, everywhere in this transcript'),
      name,
      others.length > 0 && element('label', { for: 'speaker-same' }, 'The same person as'),
      others.length > 0 && same,
    ].filter(Boolean),
    submit: 'Save',
    onSubmit: keep,
  })
  name.focus()
}
