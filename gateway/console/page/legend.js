import { element } from './element.js'
import { languageName, percent } from './format.js'
import { say } from './say.js'
import { voiceClass, voiceNames, voicesOf } from './transcript.js'

/** Who speaks and in what, with the colours that they have below, and what may be shown or not. A click on a speaker is told to `onSpeaker`, where there is one. */
export function legend(result, { place: transcriptPlace, onSpeaker }) {
  const names = voiceNames(result)
  const voices = voicesOf(result).filter(Boolean)
  const shows = [
    ['confidence', say('legend.unsure'), true],
    ['languages', say('legend.languages'), result.languages.length > 1],
  ]
  for (const [name, , isOn] of shows) transcriptPlace.classList.toggle(`show-${name}`, isOn)
  return element(
    'div',
    { class: 'legend' },
    element(
      'ul',
      { class: 'chips', 'aria-label': say('legend.speakers') },
      ...voices.map((voice, at) =>
        element(
          'li',
          { class: `chip ${voiceClass(at)}` },
          onSpeaker ? speakerButton(names.get(voice), () => onSpeaker(voice)) : names.get(voice),
        ),
      ),
    ),
    element(
      'ul',
      { class: 'chips', 'aria-label': say('legend.languages') },
      ...result.languages.map(({ code, share }) =>
        element('li', { class: `chip in-${code}` }, `${languageName(code)} ${percent(share)}`),
      ),
    ),
    element(
      'div',
      { class: 'checks' },
      ...shows.map(([name, label, isOn]) =>
        element(
          'label',
          {},
          element('input', {
            type: 'checkbox',
            checked: isOn,
            onchange: ({ target }) => transcriptPlace.classList.toggle(`show-${name}`, target.checked),
          }),
          ` ${label}`,
        ),
      ),
    ),
  )
}

function speakerButton(name, onclick) {
  const about = { type: 'button', class: 'plain speaker', title: say('speaker.hint') }
  return element('button', { ...about, onclick }, name)
}
