import { element, notice } from './element.js'
import { say } from './say.js'
import { submitFiles } from './sendings.js'
import { pairsIn } from './written-pairs.js'

/** Recordings that are fetched from where they are, where need be with headers that open the door. */
export function fromTheWeb(options) {
  const addresses = element('textarea', { id: 'web-addresses', rows: 2, spellcheck: 'false' })
  const headers = element('textarea', {
    id: 'web-headers',
    rows: 2,
    spellcheck: 'false',
    autocomplete: 'off',
    placeholder: say('web.someHeaders'),
    'aria-describedby': 'web-about',
  })
  const trouble = element('div', {})
  const submit = async () => {
    trouble.replaceChildren()
    const { pairs, wrong } = pairsIn(headers.value)
    const urls = addresses.value.split(/\s+/).filter(Boolean)
    if (wrong !== undefined) throw new Error(say('web.wrongHeaders', { text: wrong }))
    if (urls.length === 0) throw new Error(say('web.none'))
    if (!options.isGood()) return
    const opened = Object.keys(pairs).length > 0 ? { headers: pairs } : {}
    const batch = await submitFiles(options.submission()(urls.map((url) => ({ url, ...opened }))))
    // they are not among what was uploaded, so this is where they are found
    location.hash = `#/batch/${batch.batch_id}`
  }
  const button = element('button', { type: 'button' }, say('web.transcribe'))
  button.addEventListener('click', async () => {
    button.disabled = true
    await submit().catch((error) => trouble.replaceChildren(notice(error.message)))
    button.disabled = false
  })
  return element(
    'details',
    { class: 'options' },
    element('summary', {}, say('web.title')),
    element(
      'div',
      { class: 'option-grid' },
      element('div', {}, element('label', { for: 'web-addresses' }, say('web.addresses')), addresses),
      element('div', {}, element('label', { for: 'web-headers' }, say('web.headers')), headers),
    ),
    element('p', { class: 'quiet', id: 'web-about' }, say('web.about')),
    trouble,
    element('p', { class: 'field' }, button, element('a', { href: '#/batches' }, say('frame.batches'))),
  )
}
