/**
 * What the model learnt to write over silence, music and credits, because its training subtitles did. Only a text that
 * is nothing but such a phrase is meant here.
 */
const phrases = [
  'thank you',
  'thank you very much',
  'thank you so much',
  'thanks',
  'thank you for watching',
  'thanks for watching',
  'thanks for listening',
  'please subscribe',
  'please subscribe to my channel',
  'please like and subscribe',
  'like and subscribe',
  'dont forget to subscribe',
  'see you next time',
  'see you in the next video',
  'bye',
  'bye bye',
  'you',
  'the end',
  'silence',
  'music',
  'applause',
  'so',
  'oh',
  'subtitles by the amaraorg community',
  'transcription by castingwords',
  'धन्यवाद',
  'बहुत बहुत धन्यवाद',
  'देखने के लिए धन्यवाद',
  'सब्सक्राइब करें',
  'चैनल को सब्सक्राइब करें',
  'सदस्यता लें',
]

const known = new Set(phrases)

export function isStockPhrase(text: string): boolean {
  return known.has(
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\s]/gu, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
}
