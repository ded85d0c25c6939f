import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import test from 'ava'

/** What the console and the page to talk to say is in one place for each language, and nowhere else. */

const page = fileURLToPath(new URL('../../../gateway/console/page/', import.meta.url))
const pages = [page, fileURLToPath(new URL('../../../realtime/page/', import.meta.url))]

/** Of both pages, what ends so. */
async function sources(ending: RegExp): Promise<{ readonly name: string; readonly source: string }[]> {
  const found = await Promise.all(
    pages.map(async (folder) => {
      const names = (await readdir(folder)).filter((name) => ending.test(name))
      return Promise.all(names.map(async (name) => ({ name, source: await readFile(folder + name, 'utf8') })))
    }),
  )
  return found.flat()
}

type Text = string | Readonly<Record<string, string>>
type Texts = Readonly<Record<string, Text>>

const { en } = (await import(`${page}words/en.js`)) as { en: Texts } // as: written by hand, and looked at below
const { hi } = (await import(`${page}words/hi.js`)) as { hi: Texts } // as: the same
const languages = { en, hi }

const { say } = (await import(`${page}say.js`)) as {
  say: (key: string, values?: Record<string, string | number>) => string
}
const { chooseLanguage } = (await import(`${page}interface-language.js`)) as { chooseLanguage: (code: string) => void }
test.afterEach.always(() => chooseLanguage('en'))

const formsOf = (text: Text | undefined): string[] => (typeof text === 'object' ? Object.values(text) : [text ?? ''])
const placeholders = (form: string): string[] =>
  Array.from(form.matchAll(/\{(\w+)\}/g), ([, name = '']) => name).toSorted()

test('each language has every text, with the same values in it', (t) => {
  t.deepEqual(Object.keys(hi), Object.keys(en))
  for (const [key, text] of Object.entries(en)) {
    const wanted = placeholders(formsOf(text)[0]!)
    for (const texts of Object.values(languages))
      for (const form of formsOf(texts[key])) {
        t.not(form.trim(), '', key)
        t.deepEqual(placeholders(form), wanted, key)
      }
  }
})

test('a text that counts has a form for each way in which its language counts', (t) => {
  for (const [language, texts] of Object.entries(languages)) {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
    for (const [key, text] of Object.entries(texts)) {
      t.is(typeof text, typeof en[key], key)
      if (typeof text === 'string') t.false(placeholders(text).includes('count'), `${key} counts in one form`)
      else t.deepEqual(Object.keys(text).toSorted(), pluralCategories.toSorted(), key)
    }
  }
})

test('each text is said somewhere, and what is said somewhere is a text', async (t) => {
  const said = new Set<string>()
  for (const { name, source } of await sources(/\.(?:js|html)$/)) {
    // keys stand as a whole in the source, so that they can be found by who looks for them
    for (const [, key = ''] of source.matchAll(/['"]([a-z]\w*\.[a-z]\w*)['"]/gi)) if (key in en) said.add(key)
    for (const [, key = ''] of source.matchAll(/(?:say(?:Around)?\(|data-say(?:-label)?=)['"]([^'"]+)['"]/g))
      t.true(key in en, `${name} says ${key}`)
  }
  t.deepEqual(
    Object.keys(en).filter((key) => !said.has(key)),
    [],
  )
})

test('what is counted, measured and named is written as its language does', (t) => {
  const inBoth = (key: string, values: Record<string, string | number>): string[] =>
    Object.keys(languages).map((language) => {
      chooseLanguage(language)
      return say(key, values)
    })
  t.deepEqual(inBoth('list.shown', { count: 1 }), ['1 recording shown.', '1 रिकॉर्डिंग दिख रही है।'])
  t.deepEqual(inBoth('list.shown', { count: 123_456 }), ['123,456 recordings shown.', '1,23,456 रिकॉर्डिंग दिख रही हैं।'])
  t.deepEqual(inBoth('file.delete', { name: '{name}' }), ['Delete {name}', '{name} मिटाएँ'])
})

/**
 * A text for people begins with a capital letter or has several words. A single small word is not told from a name in the code
 * by this; the pages themselves are looked at in Hindi, where one would be seen, by `console-language.test.ts`.
 */
const looksLikeText = /^\P{L}*\p{Lu}\p{Ll}|\p{Ll}\p{Ll}.* \p{Ll}/u
/** What the browser, HTTP and the service call things, commands, and the name of a language in that language. */
const names =
  /^(?:(?:… · )?Vaak|(?:npm|npx|curl) .*|English|not understood|other language|\(prefers-.*|Bearer …|Idempotency-Key|Content-\w+|Last-Event-ID|Location|Retry-After|Tus-Resumable|Upload-\w+|Escape|Enter|Home|End|Page(?:Up|Down)|Arrow\w+|Files|AbortError|(?:Number|DateTime|RelativeTime)Format|DisplayNames|PluralRules)$/
/** Before classes, selectors and kinds of files. */
const beforeNames = /(?:class: |closest\?\.\(|querySelector(?:All)?\(|accepted = )$/
/** Tells who writes the page that a key is wrong, or a model what the page can do, and nobody who reads it. */
const forOthers = new Set(['say.js', 'tools.js'])

test('no module has a text for people in it', async (t) => {
  const found: string[] = []
  for (const { name, source: written } of await sources(/\.js$/)) {
    if (forOthers.has(name)) continue
    const source = written.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
    for (const literal of source.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)) {
      const text = (literal[1] ?? literal[2] ?? '').replaceAll(/\$\{[^}]*\}/g, '…').trim()
      if (!looksLikeText.test(text) || text in en || names.test(text)) continue
      if (!beforeNames.test(source.slice(0, literal.index))) found.push(`${name}: ${text}`)
    }
  }
  t.deepEqual(found, [])
})
