import type { LaidRecordings } from './recordings.ts'

/** Something that a person does and waits for. All of it is run in the page. */
export interface ConsoleStep {
  readonly name: string
  /** What has to be so before, and takes no part in the time. */
  readonly before?: readonly Wait[]
  readonly act: string
  readonly until: string
}

/** What is done, and what is waited for. */
interface Wait {
  readonly act?: string
  readonly until: string
}

const rows = "document.querySelectorAll('.row').length"
const rowsPerPage = 25
const buttonCalled = (name: string): string =>
  `[...document.querySelectorAll('button')].find((button) => button.textContent === ${JSON.stringify(name)})`
const enter = (selector: string, value: string, event: string): string =>
  `{ const field = document.querySelector('${selector}'); field.value = ${JSON.stringify(value)}; field.dispatchEvent(new Event('${event}', { bubbles: true })) }`
const goTo = (place: string): string => `location.hash = ${JSON.stringify(place)}`

const list: Wait = { act: goTo('#/'), until: `${rows} === ${rowsPerPage}` }
const otherPage: Wait = { act: goTo('#/voices'), until: "document.querySelector('h1')?.textContent === 'Voices'" }
/** From another page, so that nothing is filtered any more. */
const freshList = [otherPage, list]
const firstName = "document.querySelector('.row .name')?.textContent"

/** On the first page. */
export function listSteps({ files }: LaidRecordings): readonly ConsoleStep[] {
  return [
    { name: 'the list opens', before: [otherPage], act: goTo('#/'), until: list.until },
    {
      name: 'its next page',
      before: [...freshList, { until: `${firstName} === 'long.wav'` }],
      act: `${buttonCalled('Older')}.click()`,
      until: `${rows} === ${rowsPerPage} && ${firstName} !== 'long.wav'`,
    },
    {
      name: 'filtered by name',
      before: freshList,
      act: enter('#filter-name', 'call 11', 'input'),
      until: `${rows} === 11`,
    },
    {
      name: 'filtered by state',
      before: freshList,
      act: enter('#filter-state', 'failed', 'change'),
      until: `${rows} === ${Math.floor((files - 1 + 12) / 20)}`,
    },
    { name: 'sorted', before: freshList, act: enter('#filter-order', 'name', 'change'), until: `${rows} === ${files}` },
    {
      name: 'all of them chosen',
      before: [
        ...freshList,
        { act: enter('#filter-order', 'name', 'change'), until: `${rows} === ${files}` },
        { act: "document.querySelector('.row input').click()", until: "!document.querySelector('.selection').hidden" },
      ],
      act: `${buttonCalled('Choose all here')}.click()`,
      until: `document.querySelectorAll('.row input:checked').length === ${files}`,
    },
    {
      name: 'a word found in all of them',
      before: freshList,
      act: goTo('#/search/jaipur'),
      until: "document.querySelectorAll('.found-places li').length === 50",
    },
  ]
}

const isInSight = (node: string): string =>
  `(() => { const box = ${node}?.getBoundingClientRect(); return box && box.top >= 0 && box.bottom <= innerHeight })()`
/** Words are elements of their own once they are near. */
const isWritten = "document.elementFromPoint(300, innerHeight / 2)?.closest('.segment')?.querySelector('.word') != null"
const foundNow = "document.querySelector('.found-now')"
const atTop: Wait = { act: 'scrollTo({ top: 0, behavior: "instant" })', until: 'scrollY === 0' }
const noDialog: Wait = {
  act: "document.querySelector('dialog')?.close()",
  until: "document.querySelector('dialog') === null",
}
/** What is said to those who listen, as soon as it is done. */
const announced = (text: string): string => `document.getElementById('announcement').textContent.endsWith('${text}')`
const silence: Wait = { act: "document.getElementById('announcement').textContent = ''", until: 'true' }

/** In the transcript that lasts for hours. */
export function readingSteps({ long, sentences }: LaidRecordings): readonly ConsoleStep[] {
  const place = goTo(`#/file/${long}`)
  const isWhole = `document.querySelectorAll('.segment').length === ${sentences}`
  const whole: Wait = { act: place, until: isWhole }
  return [
    {
      name: 'the transcript opens',
      before: freshList,
      act: place,
      until: "document.querySelector('.transcript .word') !== null",
    },
    { name: 'all of it', before: freshList, act: place, until: isWhole },
    ...readSteps(whole),
    ...editSteps(whole),
    ...takeSteps(whole),
  ]
}

function readSteps(whole: Wait): readonly ConsoleStep[] {
  const from = [whole, atTop]
  const to = (share: number): string =>
    `scrollTo({ top: document.documentElement.scrollHeight * ${share}, behavior: 'instant' })`
  return [
    { name: 'scrolled to its middle', before: from, act: to(0.5), until: isWritten },
    { name: 'scrolled to its end', before: from, act: to(1), until: isWritten },
    {
      name: 'a word found in it',
      before: [{ act: enter('#search', '', 'input'), until: `${foundNow} === null` }, ...from],
      act: enter('#search', 'Jaipur', 'input'),
      until: isInSight(foundNow),
    },
    {
      name: 'the next place',
      before: [{ until: `(globalThis.placeBefore = ${foundNow}) !== null` }],
      act: "document.querySelector('#search').dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter' }))",
      until: `${foundNow} !== globalThis.placeBefore && ${isInSight(foundNow)}`,
    },
  ]
}

function editSteps(whole: Wait): readonly ConsoleStep[] {
  const from = [noDialog, { act: enter('#search', '', 'input'), until: 'true' }, whole, atTop]
  const written = (text: string): string => `document.querySelector('.line p').textContent.trim() === '${text}'`
  const speaker = "document.querySelector('.legend button')"
  return [
    {
      name: 'a sentence opens to be edited',
      before: from,
      act: `{ const button = ${buttonCalled('Edit')}; if (button.getAttribute('aria-pressed') === 'false') button.click(); document.querySelector('.word').click() }`,
      until: "document.activeElement?.classList.contains('sentence')",
    },
    {
      name: 'it is saved',
      before: [silence],
      act: "{ const field = document.querySelector('.sentence'); field.value = 'दादा आए'; field.blur() }",
      until: `${written('दादा आए')} && ${announced('was changed.')}`,
    },
    {
      name: 'it is undone',
      act: `${buttonCalled('Undo')}.click()`,
      until: written('नमस्ते आज की मीटिंग में आपका स्वागत है'),
    },
    {
      name: 'a speaker is renamed',
      before: [...from, { act: `${speaker}.click()`, until: "document.querySelector('#speaker-name') !== null" }],
      act: "globalThis.newName = `Asha ${performance.now()}`; document.querySelector('#speaker-name').value = newName; document.querySelector('dialog form').requestSubmit()",
      until: "document.querySelector('.voice')?.textContent === newName",
    },
    {
      name: 'a note is added',
      before: [
        ...from,
        { act: `${buttonCalled('Note')}.click()`, until: "document.querySelector('#note-text') !== null" },
      ],
      act: "globalThis.newNote = `ask her ${performance.now()}`; document.querySelector('#note-text').value = newNote; document.querySelector('dialog form').requestSubmit()",
      until: "[...document.querySelectorAll('.note p')].some((note) => note.textContent === newNote)",
    },
  ]
}

function takeSteps(whole: Wait): readonly ConsoleStep[] {
  const saved = (format: string, name: string): ConsoleStep => ({
    name: `taken away as ${name}`,
    before: [noDialog, whole, silence],
    act: `document.querySelector('.menu [data-format=${format}]').click()`,
    until: announced('is downloaded.'),
  })
  return [
    {
      name: 'its text is copied',
      before: [noDialog, whole, { until: `${buttonCalled('Copy')} !== undefined` }],
      act: `${buttonCalled('Copy')}.click()`,
      until: `${buttonCalled('Copied')} !== undefined`,
    },
    saved('docx', 'DOCX'),
    saved('pdf', 'PDF'),
    saved('srt', 'SRT'),
    {
      name: 'a link to it is made',
      before: [
        noDialog,
        whole,
        { act: `${buttonCalled('Share')}.click()`, until: `${buttonCalled('Make a link')} !== undefined` },
      ],
      act: `${buttonCalled('Make a link')}.click()`,
      until:
        "document.querySelector('#share-link')?.value.startsWith('http') && document.querySelector('.share-row') !== null",
    },
  ]
}
