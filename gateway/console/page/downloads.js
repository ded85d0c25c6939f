import { element, notice } from './element.js'
import { save } from './save-file.js'

const textForms = [
  ['text', 'Text'],
  ['srt', 'SRT subtitles'],
  ['vtt', 'WebVTT subtitles'],
]

/** For programs, and of many recordings at a time. */
const dataForms = [
  ['json', 'JSON'],
  ['ndjson', 'NDJSON'],
]

/** On paper there is one recording at a time. */
export const readingForms = [['docx', 'Word (DOCX)'], ['pdf', 'PDF'], ...textForms]
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
    element('h2', { id: 'downloads-title' }, 'Download'),
    element(
      'div',
      { class: 'buttons' },
      ...forms.map(([format, label]) => {
        const button = element('button', { type: 'button', 'data-format': format }, label)
        button.addEventListener('click', () => start(button, format))
        return button
      }),
    ),
    element(
      'div',
      { class: 'checks' },
      element('label', {}, tags, ' with tags such as [laughing]'),
      element('label', {}, speakers, ' with speakers’ names'),
    ),
    trouble,
  )
}
