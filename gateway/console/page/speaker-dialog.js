import { element } from './element.js'
import { formDialog } from './form-dialog.js'
import { say } from './say.js'

/**
 * What a speaker is called everywhere, or who they are the same as.
 * @param {{ speaker: { id: string, label: string, name?: string }, others: { id: string, label: string }[], onChange: (change: object, done: string) => void }} given
 */
export function speakerDialog({ speaker, others, onChange }) {
  const name = element('input', { id: 'speaker-name', type: 'text', maxlength: 100, value: speaker.name ?? '' })
  const same = element(
    'select',
    { id: 'speaker-same' },
    element('option', { value: '' }, say('speaker.nobody')),
    ...others.map(({ id, label }) => element('option', { value: id }, label)),
  )
  const keep = () => {
    if (same.value !== '')
      return onChange(
        { type: 'merge', speaker: speaker.id, into: same.value },
        say('speaker.merged', { name: speaker.label }),
      )
    if (name.value.trim() === (speaker.name ?? '')) return
    onChange({ type: 'name', speaker: speaker.id, name: name.value }, say('speaker.renamed', { name: speaker.label }))
  }
  formDialog({
    title: speaker.label,
    fields: [
      element('label', { for: 'speaker-name' }, say('speaker.name')),
      name,
      others.length > 0 && element('label', { for: 'speaker-same' }, say('speaker.sameAs')),
      others.length > 0 && same,
    ].filter(Boolean),
    submit: say('dialog.save'),
    onSubmit: keep,
  })
  name.focus()
}
