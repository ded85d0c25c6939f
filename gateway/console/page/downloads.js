import { ask } from './api.js'
import { announce, element, notice } from './element.js'

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

/** A link cannot send a token, so the page fetches and hands over. The server's name for it is the better one. */
async function save(path, fallback) {
  const response = await ask(path)
  const url = URL.createObjectURL(await response.blob())
  const name = nameIn(response.headers.get('Content-Disposition') ?? '') ?? fallback
  const link = element('a', { href: url, download: name, hidden: true })
  document.body.append(link)
  link.click()
  link.remove()
  announce(`${name} is downloaded.`)
  // the browser reads it after the click
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

function nameIn(disposition) {
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1]
  return encoded === undefined ? undefined : decodeURIComponent(encoded)
}
