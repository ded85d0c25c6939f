import { following } from './following.js'
import { highlighter } from './highlight.js'
import { player } from './player.js'

/** The sound under an address, and the page that goes along with it. */
export function listening({ path, result, loudness, signal, wordsOf }) {
  const follow = following(signal)
  const onTime = highlighter(wordsOf, (node) => follow.at(node))
  const sound = player({ path, seconds: result.duration_seconds, loudness, onTime, signal })
  sound.node.append(follow.node)
  const playFrom = (seconds) => {
    follow.resume()
    sound.playFrom(seconds)
  }
  return { sound, playFrom }
}
