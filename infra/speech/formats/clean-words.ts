import type { Segment, SpokenWord } from '../../../actors/transcript/state.ts'
import { endsSentence, marksIn } from '../punctuation/marks.ts'

/** A segment with its words as they were heard, and those with their marks, where they are known. */
export interface SpokenSegment {
  readonly segment: Segment
  readonly spoken: readonly string[] | undefined
  readonly punctuated: readonly string[] | undefined
}

/** Said while one looks for words. `mhm` and हाँ are not here: they answer. */
const fillers = new Set('um umm uh uhh uhm er err erm hm hmm mm mmm अं अँ अंम अम्म उम उम्म उह ऊँ हम्म हम्म्म एं एँ'.split(' '))

/**
 * Words that nobody says twice on purpose, so that the first of two was a false start. Others are: very very, no no, that that; and in Hindi a
 * doubled word has a meaning of its own: धीरे धीरे, अलग अलग, कौन कौन.
 */
const neverDoubled = new Set(
  `i we you he she they it the a an this my our your his their is are was were to of in on at for from with and but or if because what when where how
  मैं मैंने हम हमने आप आपने तुम उसने उन्होंने वह वो यह ये तो कि का के की को में से ने पर लेकिन मगर क्योंकि अगर इसलिए मेरा मेरी मेरे हमारा हमारी हमारे`.split(
    /\s+/u,
  ),
)
/** A false start is up to so many words long: "I think I think so". */
const startWordsMax = 3

/** Without fillers and false starts; times of the words that stay are as they were. A segment of nothing else keeps it: it was an answer. */
export function withoutFillers(heard: SpokenSegment): SpokenSegment {
  const { segment, spoken, punctuated } = heard
  const forms = segment.words.map(({ word, punctuated_word: form = word }) => form)
  const words = forms.map((form, at) => ({
    bare: marksIn(spoken?.[at] ?? form).bare.toLowerCase(),
    isLast: endsSentence(form),
  }))
  const kept = placesKept(words)
  if (kept.length === 0 || kept.length === words.length) return heard
  const mended = mendMarks(forms, kept)
  return {
    segment: { ...segment, words: kept.map((place, at) => withForm(segment.words[place]!, mended[at]!)) },
    spoken: spoken && kept.map((place) => spoken[place] ?? ''),
    punctuated: punctuated && mendMarks(punctuated, kept),
  }
}

interface BareWord {
  readonly bare: string
  /** Of its sentence. */
  readonly isLast: boolean
}

function placesKept(words: readonly BareWord[]): number[] {
  const places = words.flatMap(({ bare }, place) => (fillers.has(bare) ? [] : place))
  for (let length = startWordsMax; length > 0; length -= 1)
    for (let at = 0; at + 2 * length <= places.length;)
      if (isFalseStart(places.slice(at, at + 2 * length).map((place) => words[place]!))) places.splice(at, length)
      else at += 1
  return places
}

/** Both halves are the same and begin with a word that nobody doubles, and the first is no sentence. */
function isFalseStart(words: readonly BareWord[]): boolean {
  const half = words.length / 2
  const begun = words.slice(0, half)
  if (!neverDoubled.has(begun[0]?.bare ?? '')) return false
  return begun.every(({ bare, isLast }, at) => !isLast && bare === words[half + at]?.bare)
}

/** What ended a sentence still does, and what begins one has its capital. */
function mendMarks(forms: readonly string[], kept: readonly number[]): string[] {
  return kept.map((place, at) => {
    const dropped = forms.slice((kept[at - 1] ?? -1) + 1, place)
    const after = forms.slice(place + 1, kept[at + 1] ?? forms.length)
    return withEnding(withCapital(forms[place]!, dropped), after)
  })
}

function withCapital(form: string, dropped: readonly string[]): string {
  const isBeginning = dropped.some((word) => /^\p{Lu}/u.test(word)) && !dropped.some(endsSentence)
  return isBeginning ? form.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase()) : form
}

function withEnding(form: string, dropped: readonly string[]): string {
  const ending = dropped.find(endsSentence)
  if (ending === undefined || endsSentence(form)) return form
  return form.replace(/[,;:]+$/u, '') + ending.slice(marksIn(ending).bare.length)
}

function withForm(word: SpokenWord, form: string): SpokenWord {
  return word.punctuated_word === undefined ? { ...word, word: form } : { ...word, punctuated_word: form }
}
