import { en } from './words/en.js'
import { hi } from './words/hi.js'

/** In which language the page speaks: the one that was chosen in this browser, else the first of the reader's that it knows. */

/** Each under the name that its readers give it. */
export const interfaceLanguages = { en: 'English', hi: 'हिन्दी' }

const texts = { en, hi }
const place = 'vaak.language'

let chosen = remembered() ?? firstKnown()

export function interfaceLanguage() {
  return chosen
}

/** With the reader's own region, which says how dates are written. */
export function locale() {
  return readersTags().find((tag) => languageOf(tag) === chosen) ?? chosen
}

/** All that the page can say, by key. */
export function currentTexts() {
  return texts[chosen]
}

export function chooseLanguage(code) {
  if (Object.hasOwn(texts, code)) chosen = code
  try {
    localStorage.setItem(place, chosen)
  } catch {
    // a browser that keeps nothing is asked again in the next tab
  }
}

function remembered() {
  try {
    const code = localStorage.getItem(place)
    return code !== null && Object.hasOwn(texts, code) ? code : undefined
  } catch {
    return undefined
  }
}

function firstKnown() {
  return (
    readersTags()
      .map(languageOf)
      .find((code) => Object.hasOwn(texts, code)) ?? 'en'
  )
}

function readersTags() {
  return globalThis.navigator?.languages ?? []
}

function languageOf(tag) {
  return tag.split('-')[0].toLowerCase()
}
