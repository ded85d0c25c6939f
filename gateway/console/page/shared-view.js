import { read } from './api.js'
import { cleanText } from './clean-text.js'
import { copyButton } from './copy-button.js'
import { readingForms } from './downloads.js'
import { element, notice } from './element.js'
import { clock, when } from './format.js'
import { keepInSight } from './highlight.js'
import { pageKeys, wordKeys } from './keys.js'
import { legend } from './legend.js'
import { listening } from './listening.js'
import { say } from './say.js'
import { scriptSwitch } from './scripts.js'
import { searchBox } from './search.js'
import { showShortcuts } from './shortcuts.js'
import { toolbar } from './toolbar.js'
import { transcript } from './transcript.js'

const path = '/shared/result'

/** A transcript that somebody shared: to be read, searched and taken away, and heard where they let it be. */
export async function sharedView(signal) {
  const readAs = (more) => read(`${path}?${new URLSearchParams({ speech_information: 'true', ...more })}`, { signal })
  const shared = await readAs({ waveform: 'true' })
  document.title = `${shared.filename} · Vaak`
  let { result } = shared
  let words = []
  const [place, legendPlace] = ['transcript-place', 'legend-place'].map((name) => element('div', { class: name }))
  const loudness = shared.waveform
  const heard = shared.audio && listening({ path: '/shared/audio', result, loudness, signal, wordsOf: () => words })
  const player = heard ? { toggle: heard.sound.toggle, playFrom: heard.playFrom } : undefined
  const search = searchBox(() => words, { onGo: (word) => keepInSight(word.node) })
  const write = (next) => {
    result = next
    const shown = transcript(result, {
      notes: [],
      onJump: player?.playFrom,
      onWord: player && ((word) => player.playFrom(word.start)),
    })
    words = shown.words()
    heard?.sound?.know(result)
    wordKeys(shown.node, () => words, { toggle: player?.toggle, onWord: ({ start }) => player?.playFrom(start) })
    place.classList.toggle('silent', !player)
    place.replaceChildren(shown.node)
    legendPlace.replaceChildren(legend(result, { place }))
    search.refresh()
  }
  write(result)
  const help = () => showShortcuts({ canHear: shared.audio, canWrite: false })
  pageKeys({ player: heard?.sound, search, help }, signal)
  const tools = toolbar(shared.filename, {
    search: search.node,
    path,
    forms: readingForms,
    buttons: [copyButton(() => cleanText(result))],
    queryOf: () => ({ script: result.script }),
    help,
  })
  const trouble = element('div', {})
  const choose = async (script) => {
    await readAs({ script }).then(
      (next) => write(next.result),
      (error) => trouble.replaceChildren(notice(error.message)),
    )
    return result.script
  }
  return [
    heading(shared),
    tools,
    element('div', { class: 'choices' }, legendPlace, scriptSwitch(result, choose)),
    ...result.warnings.map((warning) => element('p', { class: 'warning' }, warning)),
    trouble,
    place,
    ...(heard ? [heard.sound.node] : []),
  ]
}

function heading({ filename, result, expires_at: expiresAt }) {
  return element(
    'div',
    { class: 'heading' },
    element('h1', {}, filename),
    element(
      'p',
      { class: 'quiet' },
      say('share.heading', { length: clock(result.duration_seconds), until: when(new Date(expiresAt)) }),
    ),
  )
}
