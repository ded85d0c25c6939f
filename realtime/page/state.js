import { say } from './say.js'

/** What the page is doing, in a few words. It follows from what is true now, so that no order of events leaves it behind. */
const nothing = { isConnected: false, hasDevices: false, isHearing: false, isAnswering: false, isPlaying: false }

export function openState(show) {
  let facts = nothing
  /** Said anew when the page changes its language. */
  let words = () => say('talk.stateNone')
  const tell = (next) => {
    words = next
    show(words())
  }
  tell(words)
  return {
    /** Some of what is true has changed. */
    know(changed) {
      facts = { ...facts, ...changed }
      const key = keyOf(facts)
      tell(() => say(key))
    },
    /** `last` says how it ended. */
    end(last) {
      facts = nothing
      tell(last)
    },
    again: () => tell(words),
  }
}

function keyOf({ isConnected, hasDevices, isHearing, isAnswering, isPlaying }) {
  if (!isConnected || !hasDevices) return 'talk.stateConnecting'
  if (isHearing) return 'talk.stateHearing'
  if (isPlaying) return 'talk.stateSpeaking'
  return isAnswering ? 'talk.stateThinking' : 'talk.stateListening'
}
