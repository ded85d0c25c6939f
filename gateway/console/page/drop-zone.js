import { element } from './element.js'
import { say } from './say.js'

const accepted = 'audio/*,video/*,.amr,.caf,.opus,.3gp,.mka,.wma'

/** Files by drag, by paste, or by the button, which is what the keyboard uses. */
export function dropZone(onFiles, signal) {
  const input = element('input', {
    type: 'file',
    multiple: true,
    accept: accepted,
    class: 'unseen',
    tabindex: '-1',
    'aria-label': say('intake.recordings'),
    onchange: () => {
      onFiles([...input.files])
      input.value = ''
    },
  })
  const button = element(
    'button',
    { type: 'button', class: 'strong', onclick: () => input.click() },
    say('intake.choose'),
  )
  const zone = element(
    'div',
    { class: 'drop' },
    element('p', { class: 'drop-title' }, say('intake.drop')),
    element('p', { class: 'quiet' }, say('intake.kinds')),
    button,
    input,
  )
  const over = (isOver) => (event) => {
    if (![...(event.dataTransfer?.types ?? [])].includes('Files')) return
    event.preventDefault()
    zone.classList.toggle('over', isOver)
  }
  // the whole window takes what is dropped: to miss the zone must not open the file
  window.addEventListener('dragover', over(true), { signal })
  window.addEventListener('dragleave', (event) => event.relatedTarget === null && over(false)(event), { signal })
  window.addEventListener(
    'drop',
    (event) => {
      over(false)(event)
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length > 0) onFiles(files)
    },
    { signal },
  )
  window.addEventListener(
    'paste',
    (event) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length > 0) onFiles(files)
    },
    { signal },
  )
  return zone
}
