import { element } from './element.js'
import { say } from './say.js'

/** Read before the page takes its token out of the address, and the rest with it. */
const given = new URLSearchParams(location.search).get('console')

/** Says whether the conversation is recorded, and afterwards where it is to be found. */
export function openRecording(place) {
  /** The file that it becomes, while it is recorded and after that. */
  let fileId
  let isRecorded = false

  const show = () => {
    place.hidden = fileId === undefined
    place.dataset.on = String(isRecorded)
    if (fileId === undefined) return place.replaceChildren()
    if (isRecorded) return place.replaceChildren(say('talk.recording'))
    const console = consoleAddress()
    const link = console && element('a', { href: `${console}/#/file/${fileId}` }, say('talk.openRecording'))
    place.replaceChildren(say('talk.recorded'), ' ', link ?? fileId)
  }

  return {
    begin() {
      fileId = undefined
      isRecorded = false
      show()
    },
    /** As the server says it of the session. */
    know(vaak) {
      isRecorded = vaak?.keep === true
      fileId = vaak?.file_id ?? fileId
      show()
    },
    end() {
      isRecorded = false
      show()
    },
    again: show,
  }
}

/** Of the console that people come from: on this machine, whatever an address says. */
function consoleAddress() {
  if (given === null || !URL.canParse(given)) return undefined
  const { protocol, hostname, origin } = new URL(given)
  return hostname === location.hostname && /^https?:$/.test(protocol) ? origin : undefined
}
