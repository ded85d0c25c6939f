/**
 * By which listeners say that they listen, and who speaks goes on: each as it is written down, then other ways in which our
 * recogniser spells what it hears of it.
 */
const backchannels: readonly (readonly string[])[] = [
  ['हाँ', 'हां', 'हा'],
  ['हाँ हाँ', 'हां हां'],
  ['हाँ जी', 'हां जी'],
  ['जी'],
  ['जी हाँ', 'जी हां'],
  ['अच्छा'],
  ['अच्छा अच्छा'],
  ['ठीक'],
  ['ठीक है'],
  ['सही'],
  ['सही है'],
  ['हम्म', 'हम', 'हूँ', 'हूं', 'hmm'],
  ['mhm', 'uh huh', 'अहा'],
  ['okay', 'ok', 'ओके'],
  ['yes', 'येस'],
  ['yeah', 'या'],
  ['yep', 'येप'],
  ['right', 'राइट'],
  ['sure', 'श्योर', 'शोर'],
  ['i see', 'आई सी'],
  ['got it', 'गॉट इट'],
  ['all right', 'alright', 'ऑल राइट'],
]

/** Single words by which people do interrupt, and others that are said alone: who said one of these said none of the above. */
const others = (
  'रुको रुकिए रुक रुकना नहीं ना सुनो सुनिए बस क्या क्यों कौन लेकिन पर और फिर मतलब अरे चुप ' +
  'stop wait no what why who but hey hello sorry now when how स्टॉप वेट नो व्हाट व्हाई सॉरी हेलो'
)
  .split(' ')
  .concat(['hold on', 'एक मिनट'])

const spellings = backchannels.flatMap(([word = '', ...more]) =>
  [word, ...more].map((spelling) => ({ word, spelling })),
)

/** What the recogniser is asked about. */
export const backchannelPhrases: readonly string[] = [...spellings.map(({ spelling }) => spelling), ...others]

/** How far the best of them may be below the letters that fit best, and by how much it has to lead the best of the others. */
const bar = { below: -7, lead: 3 }

/** Which of them was said, by how likely each phrase is; nothing where it was something else, or might well be. */
export function backchannelAmong(scores: readonly number[]): string | undefined {
  const best = indexOfMost(scores.slice(0, spellings.length))
  const score = scores[best] ?? -Infinity
  const other = Math.max(...scores.slice(spellings.length))
  return score > bar.below && score - other > bar.lead ? spellings[best]?.word : undefined
}

function indexOfMost(scores: readonly number[]): number {
  return scores.reduce((best, score, at) => (score > scores[best]! ? at : best), 0)
}
