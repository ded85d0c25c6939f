import type {
  FileResult,
  RedactionKind,
  Segment,
  SpokenWord,
  StoredTranscript,
} from '../../../actors/transcript/state.ts'
import { segmentText } from '../transcript/pieces.ts'
import { cardCodesIn } from './card-codes.ts'
import { secretsIn } from './spans.ts'

type Written = Pick<StoredTranscript, 'spoken' | 'punctuated'> & { readonly result: FileResult }

/** A word by its place. */
interface Place {
  readonly segment: number
  readonly word: number
}

/** Words of one segment, up to `to`, that one mark stands for. */
interface Hidden {
  readonly from: number
  readonly to: number
  readonly kind: RedactionKind
}

/**
 * A transcript in which marks such as `[phone]` stand for what is not to be read. What is one number may go on over pauses, segments and
 * the chunks that it was cut into, so it is looked for in all words of a channel together. Segments without such words stay the same objects.
 */
export function redact<Transcript extends Written>(
  transcript: Transcript,
  kinds: readonly RedactionKind[],
): Transcript {
  if (kinds.length === 0) return transcript
  return withMarksIn(withoutHeard(transcript), kinds)
}

/** What was recognised before a vocabulary spelt it may be what is not to be read, and the rules look at what is written. */
function withoutHeard<Transcript extends Written>(transcript: Transcript): Transcript {
  const { result } = transcript
  const isSpelt = ({ words }: Segment): boolean => words.some(({ heard }) => heard !== undefined)
  if (!result.segments.some(isSpelt)) return transcript
  const segments = result.segments.map((segment) =>
    isSpelt(segment) ? { ...segment, words: segment.words.map(({ heard: _heard, ...word }) => word) } : segment,
  )
  return { ...transcript, result: { ...result, segments } }
}

function withMarksIn<Transcript extends Written>(transcript: Transcript, kinds: readonly RedactionKind[]): Transcript {
  const { result, spoken, punctuated } = transcript
  const hidden = hiddenIn(transcript, new Set(kinds))
  if (hidden.size === 0) return transcript
  const segments = result.segments.map((segment, at) => withMarks(segment, hidden.get(at)))
  const inTexts = (texts: readonly (readonly string[])[] | undefined) =>
    texts?.map((own, at) => replaced(own, hidden.get(at) ?? [], (words, { kind }) => marked(words.at(-1)!, kind)))
  const [bare, written] = [inTexts(spoken), inTexts(punctuated)]
  return {
    ...transcript,
    result: {
      ...result,
      text: segments
        .map(({ text }) => text)
        .filter(Boolean)
        .join(' '),
      segments,
    },
    ...(bare && { spoken: bare }),
    ...(written && { punctuated: written }),
  }
}

function hiddenIn(transcript: Written, kinds: ReadonlySet<RedactionKind>): ReadonlyMap<number, readonly Hidden[]> {
  const hidden = new Map<number, Hidden[]>()
  const { segments } = transcript.result
  const hide = (places: readonly Place[], kind: RedactionKind): void => {
    for (const { segment, ...part } of partsIn(places)) {
      const others = hidden.get(segment) ?? []
      if (others.some(({ from, to }) => part.from < to && from < part.to)) continue
      const all = [...others, { ...part, kind }]
      hidden.set(
        segment,
        all.toSorted((one, other) => one.from - other.from),
      )
    }
  }
  const channels = new Set(segments.map((segment) => segment.channel))
  for (const channel of channels) {
    const places = placesIn(segments, (segment) => segment.channel === channel)
    const words = places.map((place) => heardWord(transcript, place))
    for (const { from, to, kind } of secretsIn(words, kinds)) hide(places.slice(from, to), kind)
  }
  if (channels.size > 1 && kinds.has('card')) for (const places of answeredCodes(transcript)) hide(places, 'card')
  return hidden
}

function placesIn(segments: readonly Segment[], isWanted: (segment: Segment) => boolean): Place[] {
  return segments.flatMap((segment, at): Place[] =>
    isWanted(segment) ? segment.words.map((_, word) => ({ segment: at, word })) : [],
  )
}

/** "And the CVV?" asks one side of a call, and the other says three digits: words of both, in the order in which they were said. */
function answeredCodes(transcript: Written): Place[][] {
  const { segments } = transcript.result
  const startOf = ({ segment, word }: Place): number => segments[segment]!.words[word]!.start
  const places = placesIn(segments, () => true).toSorted((one, other) => startOf(one) - startOf(other))
  const words = places.map((place) => heardWord(transcript, place))
  const channelOf = (place: Place | undefined): number | undefined => place && segments[place.segment]!.channel
  return cardCodesIn(words, []).map(({ from, to }) =>
    places.slice(from, to).filter((place) => channelOf(place) === channelOf(places[from])),
  )
}

/** One for each segment that it goes through. */
function partsIn(places: readonly Place[]): (Omit<Hidden, 'kind'> & Pick<Place, 'segment'>)[] {
  const segments = [...new Set(places.map(({ segment }) => segment))]
  return segments.map((segment) => {
    const own = places.filter((place) => place.segment === segment).map(({ word }) => word)
    return { segment, from: own[0]!, to: own.at(-1)! + 1 }
  })
}

/** As it was heard: a script that it is written in now may have other words for digits. */
function heardWord({ result, spoken, punctuated }: Written, { segment, word }: Place): string {
  const own = result.segments[segment]!.words[word]!
  return punctuated?.[segment]?.[word] ?? spoken?.[segment]?.[word] ?? own.punctuated_word ?? own.word
}

function withMarks(segment: Segment, hidden: readonly Hidden[] | undefined): Segment {
  if (!hidden) return segment
  const words = replaced(segment.words, hidden, markedWord)
  const written = { ...segment, words }
  return { ...written, text: segmentText(written) }
}

function replaced<Word>(
  words: readonly Word[],
  hidden: readonly Hidden[],
  markFor: (words: readonly Word[], hidden: Hidden) => Word,
): Word[] {
  const kept: Word[] = []
  let at = 0
  for (const one of hidden) {
    kept.push(...words.slice(at, one.from), markFor(words.slice(one.from, one.to), one))
    at = one.to
  }
  return [...kept, ...words.slice(at)]
}

/** It lasts as long as the words that it stands for, and belongs to no language: nobody writes it in another script. */
function markedWord(words: readonly SpokenWord[], { kind }: Hidden): SpokenWord {
  const [first, last] = [words[0]!, words.at(-1)!]
  return {
    word: `[${kind}]`,
    ...(last.punctuated_word !== undefined && { punctuated_word: marked(last.punctuated_word, kind) }),
    start: first.start,
    end: last.end,
    language: 'und',
    confidence: Math.min(...words.map(({ confidence }) => confidence)),
  }
}

/** What ends the sentence stays, as it was written. */
function marked(word: string, kind: RedactionKind): string {
  return `[${kind}]${/[.,?!;:।॥…]*$/u.exec(word)?.[0] ?? ''}`
}
