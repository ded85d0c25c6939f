import { element } from './element.js'
import { languageName } from './format.js'
import { say } from './say.js'

const genders = { female: 'voices.female', male: 'voices.male' }

/** What to choose a voice from: each by its name, under the language that it is for. */
export function voiceGroups(voices) {
  return [...new Set(voices.map(({ language }) => language))].map((language) =>
    element(
      'optgroup',
      { label: languageName(language) },
      ...voices
        .filter((voice) => voice.language === language)
        .map(({ id, name, gender }) =>
          element('option', { value: id, 'data-name': name }, `${name} (${say(genders[gender])})`),
        ),
    ),
  )
}
