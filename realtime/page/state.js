/** What the page is doing, in a few words. It follows from what is true now, so that no order of events leaves it behind. */
const nothing = { isConnected: false, hasDevices: false, isHearing: false, isAnswering: false, isPlaying: false }

export function openState(show) {
  let facts = nothing
  return {
    /** Some of what is true has changed. */
    know(changed) {
      facts = { ...facts, ...changed }
      show(wordsOf(facts))
    },
    end(words) {
      facts = nothing
      show(words)
    },
  }
}

function wordsOf({ isConnected, hasDevices, isHearing, isAnswering, isPlaying }) {
  if (!isConnected || !hasDevices) return 'Connecting…'
  if (isHearing) return 'Hearing you…'
  if (isPlaying) return 'Speaking…'
  return isAnswering ? 'Thinking…' : 'Listening. Say something.'
}
