import type { FileResult, Segment, SpokenWord, Tag } from '../../actors/transcript/state.ts'

/** Two people who change language in mid-sentence: everything that a page can show of a transcript. */
export function aConversation(): FileResult {
  const segments = [
    said({ speaker: 1, start: 0, text: 'नमस्ते आज की मीटिंग में आपका स्वागत है' }),
    said({ speaker: 1, start: 4, text: 'पहले हम last|en quarter|en का हिसाब देखेंगे', unsure: ['हिसाब'] }),
    said({ speaker: 2, start: 8, text: 'Sure,|en the|en numbers|en look|en good|en this|en time|en', language: 'en' }),
    said({ speaker: 2, start: 12, text: 'but|en Jaipur|en office|en थोड़ा पीछे है', language: 'en', unsure: ['Jaipur'] }),
    said({ speaker: 1, start: 16, text: 'हाँ वहाँ का server|en दो दिन बंद था', tags: ['laughing'] }),
    said({ speaker: 2, start: 20, text: 'तो अगले हफ़्ते तक report|en भेज दीजिए', tags: ['pause'] }),
  ]
  return {
    text: segments.map(({ text }) => text).join(' '),
    language: 'hi',
    languages: [
      { code: 'hi', share: 0.62 },
      { code: 'en', share: 0.38 },
    ],
    duration_seconds: 24,
    segments,
    model: 'a-model',
    script: 'native',
    warnings: [],
  }
}

interface Saying {
  readonly speaker: number
  readonly start: number
  /** `word|en` is a word in another language. */
  readonly text: string
  readonly language?: string
  readonly unsure?: readonly string[]
  readonly tags?: readonly Tag['type'][]
}

const lastsSeconds = 3.6

function said({ speaker, start, text, language = 'hi', unsure = [], tags = [] }: Saying): Segment {
  const parts = text.split(' ').map((part) => part.split('|'))
  const each = lastsSeconds / parts.length
  const words = parts.map(([word = '', tongue = 'hi'], at): SpokenWord => {
    const begin = start + at * each
    return { word, start: begin, end: begin + each, language: tongue, confidence: unsure.includes(word) ? 0.42 : 0.93 }
  })
  const end = start + lastsSeconds
  return {
    start,
    end,
    text: words.map(({ word }) => word).join(' '),
    language,
    confidence: 0.9,
    words,
    tags: tags.map((type) => ({ type, start: start + each * 2, end: start + each * 3, confidence: 0.8 })),
    model: 'a-model',
    speech_information: {
      timestamps: { start, end },
      speaker_id: `speaker_${speaker}`,
      speaker_confidence: 0.9,
      tone: 'neutral',
      tone_confidence: 0.6,
      loudness_db: -20,
      pitch_hz: 180,
      syllables_per_second: 4,
    },
  }
}
