import { element, notice } from './element.js'
import { save } from './save-file.js'
import { say } from './say.js'

/** What each is called is a key. */
const textForms = [
  ['text', 'download.text'],
  ['srt', 'download.srt'],
  ['vtt', 'download.vtt'],
]

/** For programs, and of many recordings at a time. */
const dataForms = [
  ['json', 'download.json'],
  ['ndjson', 'download.ndjson'],
]

/** On paper there is one recording at a time. */
export const readingForms = [['docx', 'download.docx'], ['pdf', 'download.pdf'], ...textForms]
export const allForms = [...readingForms, ...dataForms]
export const batchForms = [...textForms, ...dataForms]

/**
 * A row of buttons, one for each form.
 * @param {{ forms: string[][], pathOf: (query: URLSearchParams) => string, nameOf: (format: string) => string, query: () => object }} of
 */
export function downloads({ forms, pathOf, nameOf, query }) {
  const trouble = element('div', {})
  const tags = element('input', { type: 'checkbox', id: 'download-tags', checked: true })
  const speakers = element('input', { type: 'checkbox', id: 'download-speakers' })
  const wish = () => ({ ...query(), tags: String(tags.checked), speakers: String(speakers.checked) })
  const start = async (button, format) => {
    button.disabled = true
    trouble.replaceChildren()
    try {
      await save(pathOf(new URLSearchParams({ ...wish(), format })), nameOf(format))
    } catch (error) {
      trouble.replaceChildren(notice(error.message))
    } finally {
      button.disabled = false
    }
  }
  return element(
    'section',
    { class: 'downloads', 'aria-labelledby': 'downloads-title' },
    element('h2', { id: 'downloads-title' }, say('download.title')),
    element(
      'div',
      { class: 'buttons' },
      ...forms.map(([format, label]) => {
        const button = element('button', { type: 'button', 'data-format': format }, say(label))
        button.addEventListener('click', () => start(button, format))
        return button
      }),
    ),
    element(
      'div',
      { class: 'checks' },
      element('label', {}, tags, ` ${say('download.withTags')}`),
      element('label', {}, speakers, ` ${say('download.withSpeakers')}`),
    ),
    trouble,
  )
}
