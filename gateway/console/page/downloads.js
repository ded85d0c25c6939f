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

/** What proves a transcript is of what was transcribed, whatever is asked for besides: `vaak verify` reads it. */
const receiptForm = ['json', 'download.receipt', { receipt: 'true', original: 'true' }]

/** On paper there is one recording at a time. */
export const readingForms = [['docx', 'download.docx'], ['pdf', 'download.pdf'], ...textForms]
export const allForms = [...readingForms, ...dataForms, receiptForm]
export const batchForms = [...textForms, ...dataForms]

/**
 * A row of buttons, one for each form. What is on its way there is waited for: `ready`.
 * @param {{ forms: (string | object)[][], pathOf: (query: URLSearchParams) => string, nameOf: (format: string) => string, query: () => object, ready?: () => Promise<unknown> }} of
 */
export function downloads({ forms, pathOf, nameOf, query, ready }) {
  const trouble = element('div', {})
  const tags = element('input', { type: 'checkbox', id: 'download-tags', checked: true })
  const speakers = element('input', { type: 'checkbox', id: 'download-speakers' })
  const clean = element('input', { type: 'checkbox', id: 'download-clean' })
  const wish = () => ({
    ...query(),
    tags: String(tags.checked),
    speakers: String(speakers.checked),
    ...(clean.checked && { style: 'clean' }),
  })
  const start = async (button, format, instead) => {
    button.disabled = true
    trouble.replaceChildren()
    try {
      await ready?.()
      await save(pathOf(new URLSearchParams({ ...(instead ?? wish()), format })), nameOf(format))
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
      ...forms.map(([format, label, instead]) => {
        const button = element('button', { type: 'button', 'data-format': format }, say(label))
        button.addEventListener('click', () => start(button, format, instead))
        return button
      }),
    ),
    element(
      'div',
      { class: 'checks' },
      element('label', {}, tags, ` ${say('download.withTags')}`),
      element('label', {}, speakers, ` ${say('download.withSpeakers')}`),
      element('label', {}, clean, ` ${say('download.clean')}`),
    ),
    trouble,
  )
}
