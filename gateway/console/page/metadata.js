import { element } from './element.js'
import { partText } from './part-choice.js'
import { say } from './say.js'
import { pairsIn } from './written-pairs.js'

/** As much as the service keeps beside a recording. */
const metadataMaxBytes = 2048

/** What is kept beside each recording and comes back with it: lines of names and values, or JSON. */
export function metadataChoice() {
  const field = element('textarea', { id: 'option-metadata', rows: 2, placeholder: say('options.someMetadata') })
  return {
    node: element('div', {}, element('label', { for: 'option-metadata' }, say('options.metadata')), field),
    /** The field and what is wrong with it. */
    complaint() {
      const { wrong, metadata } = metadataIn(field.value)
      if (wrong !== undefined) return { field, text: say('options.wrongMetadata', { text: wrong }) }
      if (new TextEncoder().encode(JSON.stringify(metadata)).length > metadataMaxBytes)
        return { field, text: say('options.tooMuchMetadata', { limit: metadataMaxBytes }) }
      return undefined
    },
    value() {
      const { metadata } = metadataIn(field.value)
      return Object.keys(metadata).length > 0 ? { metadata } : {}
    },
  }
}

/** @param {string} text */
export function metadataIn(text) {
  if (!text.trim().startsWith('{')) {
    const { pairs: metadata, wrong } = pairsIn(text)
    return { metadata, wrong }
  }
  try {
    return { metadata: JSON.parse(text) }
  } catch {
    return { metadata: {}, wrong: text.trim() }
  }
}

/** What came back with a recording or a batch: the part that was meant, and its metadata, which anybody may have written. */
export function aboutLine() {
  const node = element('p', { class: 'about quiet', hidden: true })
  return {
    node,
    paint(given) {
      const text = [partText(given), metadataText(given.metadata)].filter(Boolean).join(' · ')
      // news of how far it is say nothing of it
      if (text === '') return
      node.textContent = text
      node.title = text
      node.hidden = false
    },
  }
}

/** `ticket: A-17 · agent: {"team":"returns"}` */
function metadataText(metadata = {}) {
  return Object.entries(metadata)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ')
}
