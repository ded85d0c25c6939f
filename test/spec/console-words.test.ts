import test from 'ava'

/** The parts of the console that touch no page, as they are served. */
const page = new URL('../../../gateway/console/page/', import.meta.url)
const { occurrences, wordAt, wordsWithin } = (await import(new URL('word-index.js', page).href)) as {
  occurrences: (words: readonly { word: string }[], text: string) => { first: number; last: number }[]
  wordAt: (words: readonly { start: number }[], seconds: number) => number
  wordsWithin: (
    words: readonly { start: number }[],
    spans: readonly { start: number; end: number }[],
  ) => { first: number; last: number }[]
}
const { parse } = (await import(new URL('server-events.js', page).href)) as {
  parse: (block: string) => { event: string; data: unknown; id?: string } | undefined
}
const { clock, madeAt, sizeOf, speakerName, waitingText, when } = (await import(new URL('format.js', page).href)) as {
  clock: (seconds: number) => string
  madeAt: (id: string) => Date
  sizeOf: (bytes: number) => string
  speakerName: (id: string) => string
  waitingText: (waiting: { what: string; percent?: number }) => string
  when: (date: Date, now: Date) => string
}

const { cleanText } = (await import(new URL('clean-text.js', page).href)) as {
  cleanText: (result: { segments: readonly object[] }) => string
}

const { correctionIn } = (await import(new URL('words-offer.js', page).href)) as {
  correctionIn: (before: readonly string[], after: readonly string[]) => { heard: string; text: string } | undefined
}

const { secondsIn } = (await import(new URL('part-choice.js', page).href)) as {
  secondsIn: (written: string) => number | undefined
}

const { metadataIn } = (await import(new URL('metadata.js', page).href)) as {
  metadataIn: (text: string) => { metadata: object; wrong?: string }
}

const words = ['आज', 'last', 'Quarter', 'का', 'quarter', 'report'].map((word, at) => ({ word, start: at, end: at + 1 }))

test('the word that is being said is the last that has begun', (t) => {
  t.deepEqual(
    [-1, 0, 0.9, 1, 5.5, 99].map((seconds) => wordAt(words, seconds)),
    [-1, 0, 0, 1, 5, 5],
  )
  t.is(wordAt([], 1), -1)
})

test('places in time are words, in the order in which they are said', (t) => {
  const places = [
    { start: 4, end: 6 },
    { start: 1, end: 2 },
  ]
  t.deepEqual(wordsWithin(words, places), [
    { first: 1, last: 1 },
    { first: 4, last: 5 },
  ])
  t.deepEqual(wordsWithin([], places), [])
})

test('text is found across words, in any letter case and in any script', (t) => {
  t.deepEqual(occurrences(words, 'QUARTER'), [
    { first: 2, last: 2 },
    { first: 4, last: 4 },
  ])
  t.deepEqual(occurrences(words, ' last   quarter का '), [{ first: 1, last: 3 }])
  t.deepEqual(occurrences(words, 'आज'), [{ first: 0, last: 0 }])
  t.deepEqual(occurrences(words, 'port'), [{ first: 5, last: 5 }])
  t.deepEqual(occurrences(words, '  '), [])
  t.deepEqual(occurrences(words, 'nowhere'), [])
})

test('an event has a name, data and perhaps an id; a comment is none', (t) => {
  t.deepEqual(parse('id: 7\nevent: file\ndata: {"a": 1}'), { event: 'file', data: { a: 1 }, id: '7' })
  t.is(parse(': '), undefined)
  t.is(parse('retry: 2000'), undefined)
})

test('times, sizes and the age of an id are told in words', (t) => {
  t.deepEqual([0, 61.9, 3_723].map(clock), ['0:00', '1:01', '1:02:03'])
  t.deepEqual([0, 999, 1_500, 250_000_000].map(sizeOf), ['0 bytes', '999 bytes', '1.5 kB', '250 MB'])
  t.is(madeAt('018bcfe5-6800-7000-8000-000000000000').getTime(), 1_700_000_000_000)
})

test('a day of another year is told with its year, and one of this year without', (t) => {
  const now = new Date(2026, 10, 17, 12)
  t.regex(when(new Date(2027, 10, 17, 12), now), /2027/)
  t.notRegex(when(new Date(2026, 10, 16, 12), now), /2026/)
})

test('what is waited for is a sentence, with how much of it is there where that is known', (t) => {
  t.is(waitingText({ what: 'fetching model a', percent: 40 }), 'Fetching model a, 40%')
  t.is(waitingText({ what: 'loading models' }), 'Loading models')
})

test('what is copied is the words alone: a paragraph for each voice and after each long pause', (t) => {
  const said = (text: string, start: number, speaker: string) => ({
    start,
    end: start + 1,
    text: `[pause] ${text}`,
    words: text.split(' ').map((word) => ({ word: word.toLowerCase(), punctuated_word: word })),
    speech_information: { speaker_id: speaker },
  })
  const wordless = { ...said('', 9, 'b'), text: 'all [laughing]', words: [] }
  const segments = [
    said('One, two.', 0, 'a'),
    said('Three.', 1, 'a'),
    said('Four.', 2, 'b'),
    said('Five.', 6, 'b'),
    wordless,
  ]
  t.is(cleanText({ segments }), 'One, two. Three.\n\nFour.\n\nFive.\n\nall')
})

test('a voice is called by its number, or by the side of the call that it is on, and otherwise as it is', (t) => {
  t.deepEqual(['speaker_2', 'channel_0', 'channel_1', 'caller'].map(speakerName), [
    'Speaker 2',
    'Side 1',
    'Side 2',
    'caller',
  ])
  // as versions before told them
  t.deepEqual(['speaker-1', 'channel-0-speaker_1', 'channel-1-speaker_2'].map(speakerName), [
    'Speaker 1',
    'Side 1',
    'Side 2, Speaker 2',
  ])
})

test('a correction is a word, or a few, that stand where others stood; a sentence told anew is none', (t) => {
  const corrected = (before: string, after: string) => correctionIn(before.split(' '), after.split(' '))
  t.deepEqual(corrected('यह मेरा, है।', 'यह Meera, है।'), { heard: 'मेरा', text: 'Meera' })
  t.deepEqual(corrected('go to kurla dipo.', 'go to Kurla Depot.'), { heard: 'kurla dipo', text: 'Kurla Depot' })
  t.deepEqual(corrected('my hdfc account', 'my HDFC account'), { heard: 'hdfc', text: 'HDFC' })
  t.is(corrected('यह मेरा है', 'यह मेरा है।'), undefined)
  t.is(corrected('यह है', 'यह मेरा है'), undefined, 'nothing stood there')
  t.is(corrected('one two three four', 'five six seven eight'), undefined)
})

test('a time is written as a clock shows it or in seconds, and nothing else is one', (t) => {
  t.deepEqual(['90', ' 1:30 ', '1:02:03', '0:00.5', '90,25'].map(secondsIn), [90, 90, 3723, 0.5, 90.25])
  const none = ['', '-1', '1:60', '1:2:3:4', '1e3', 'Infinity', '0x10', '12345678', '1:30:', '٣']
  t.deepEqual(
    none.filter((text) => secondsIn(text) !== undefined),
    [],
  )
})

test('metadata is a line for each name and value, or JSON as it is', (t) => {
  t.deepEqual(metadataIn('ticket: A-17\n\n  address : https://example.org:8080/a '), {
    metadata: { ticket: 'A-17', address: 'https://example.org:8080/a' },
    wrong: undefined,
  })
  t.deepEqual(metadataIn(' {"agent": {"team": 7}}'), { metadata: { agent: { team: 7 } } })
  t.is(metadataIn('a: 1\nno colon').wrong, 'no colon')
  t.is(metadataIn(': nameless').wrong, ': nameless')
  t.is(metadataIn('{"agent"').wrong, '{"agent"')
})
