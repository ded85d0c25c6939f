import { ask, read } from './api.js'
import { announce, element, notice } from './element.js'
import { pronunciationsForm } from './pronunciations.js'
import { handOver } from './save-file.js'
import { say } from './say.js'
import { voiceGroups } from './voice-groups.js'

const speeds = [0.75, 1, 1.25, 1.5]

/** Type, choose a voice, hear it, and take it along. */
export async function voicesView(signal) {
  const [{ data: voices }, pronunciations] = await Promise.all([
    read('/v1/voices', { signal }),
    pronunciationsForm(signal),
  ])
  const text = element('textarea', { id: 'voice-text', rows: 5, required: true }, say('voices.sample'))
  const voice = element('select', { id: 'voice' }, ...voiceGroups(voices))
  const speed = element('select', { id: 'voice-speed' }, ...speeds.map((one) => speedOption(one)))
  const trouble = element('div', {})
  const player = element('audio', { controls: true, hidden: true, 'aria-label': say('voices.player') })
  const speak = async (format) => {
    const json = { input: text.value, voice: voice.value, speed: Number(speed.value), response_format: format }
    return (await ask('/v1/audio/speech', { method: 'POST', json, signal })).blob()
  }
  const listen = async () => {
    announce(say('voices.begun'))
    play(player, await speak('mp3'), signal)
  }
  const take = async (format) => handOver(await speak(format), `${voice.selectedOptions[0].dataset.name}.${format}`)
  const { button, form } = oneAtATime({ signal, trouble, isReady: () => text.reportValidity() })
  return element(
    'section',
    { class: 'voices' },
    element('h1', {}, say('voices.title')),
    element('p', { class: 'quiet' }, say('voices.lead')),
    form(
      listen,
      element('label', { for: 'voice-text' }, say('voices.text')),
      text,
      element(
        'div',
        { class: 'field' },
        labelled('voice', 'voices.voice', voice),
        labelled('voice-speed', 'voices.speed', speed),
      ),
      element(
        'div',
        { class: 'field' },
        button('voices.listen', undefined),
        button('voices.wav', () => take('wav')),
        button('voices.mp3', () => take('mp3')),
      ),
    ),
    trouble,
    player,
    pronunciations,
  )
}

/** While one thing is spoken nothing else is asked for: the server has few places for it. */
function oneAtATime({ signal, trouble, isReady }) {
  const buttons = []
  const run = async (act) => {
    if (!isReady()) return
    trouble.replaceChildren()
    for (const one of buttons) one.disabled = true
    try {
      await act()
    } catch (error) {
      if (!signal.aborted) trouble.replaceChildren(notice(error.message))
    }
    for (const one of buttons) one.disabled = false
  }
  return {
    /** Without `act` it is the form's own. */
    button: (key, act) => {
      const kind = act ? { type: 'button', onclick: () => run(act) } : { type: 'submit', class: 'strong' }
      const made = element('button', kind, say(key))
      buttons.push(made)
      return made
    },
    form: (act, ...fields) => {
      const submit = (event) => {
        event.preventDefault()
        void run(act)
      }
      return element('form', { class: 'card', onsubmit: submit }, ...fields)
    },
  }
}

function play(player, blob, signal) {
  URL.revokeObjectURL(player.src)
  player.src = URL.createObjectURL(blob)
  player.hidden = false
  signal.addEventListener('abort', () => URL.revokeObjectURL(player.src), { once: true })
  // a browser that plays nothing by itself shows its button
  void player.play().catch(() => undefined)
}

/** Under the language that each is made for; all speak all of them. */
function speedOption(speed) {
  return element('option', { value: speed, selected: speed === 1 }, say('voices.times', { speed }))
}

function labelled(id, key, field) {
  return element('div', {}, element('label', { for: id }, say(key)), field)
}
