/** Wording that asks. The model hears questions where there are none and misses short ones; these words settle most of it. */

const asking = new Set(
  `क्या कौन कौनसा कौनसी कब कहाँ कहां किधर कैसे कैसा कैसी क्यों क्यूँ क्यूं कितना कितने कितनी किस किसका किसकी किसके किसने किसको किसे
  किससे किन किनका what who whom whose where when why which how what's who's where's how's`.split(/\s+/),
)
/** After these a question word only tells of a question: "पता नहीं कि वह कब आएगा". */
const telling = new Set(
  `कि पता मालूम जानता जानती जानते पूछा बताया जो जब know knew asked wonder tell told said see understand that`.split(/\s+/),
)
const verbs = new Set(
  `is are was were am do does did can could will would shall should have has had may might don't doesn't didn't isn't aren't
  can't won't wouldn't`.split(/\s+/),
)
const askedAbout = new Set(
  `i you we they he she it this that there the your my his her our anyone somebody any`.split(' '),
)
const openers = new Set(`what who whom whose where when why which how`.split(' '))
/** Between an opener and its verb: "how much does it cost". */
const longestOpening = 4

/** Whether the words of a sentence, without marks and in lower case, ask something. */
export function asks(words: readonly string[]): boolean {
  const [first = '', second = ''] = words
  if (verbs.has(first)) return askedAbout.has(second)
  // "what he said", "when I was young": these tell
  if (openers.has(first))
    return !askedAbout.has(second) && words.slice(1, longestOpening).some((word) => verbs.has(word))
  const at = words.findIndex((word) => asking.has(word) && isHindi(word))
  if (at < 0) return asking.has(first) && !openers.has(first)
  return !words.slice(0, at).some((word) => telling.has(word))
}

function isHindi(word: string): boolean {
  return /\p{Script=Devanagari}/u.test(word)
}
