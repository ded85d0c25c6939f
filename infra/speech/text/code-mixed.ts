import { loanwordInLatin } from './loanwords.ts'

/**
 * Our recogniser writes some English words of a Hindi sentence in Devanagari, as its books do (मीटिंग). Who mixes languages
 * writes them in Latin letters: meeting. Words that are Hindi by now (स्कूल, पुलिस) stay as they are in a sentence that is Hindi
 * besides, and words that are something else in Hindi (बस, कार, सर) always do.
 */
export function englishInLatin(sentence: readonly string[]): string[] {
  const english = sentence.map((word) => (ambiguous.has(word) ? undefined : loanwordInLatin(word)))
  const isMixed = sentence.some((word, at) => isLatin(word) || (english[at] !== undefined && !atHome.has(word)))
  return sentence.map((word, at) => (isMixed ? (english[at] ?? word) : word))
}

function isLatin(word: string): boolean {
  return /\p{Script=Latin}/u.test(word)
}

const ambiguous = new Set('बस कार सर रन मेल कोट गुड लेट बैट बाय केस लाइक पेन रेडी'.split(' '))

/** What a Hindi newspaper writes without a second thought. */
const atHome = new Set(
  `स्कूल कॉलेज डॉक्टर नर्स पुलिस कोर्ट जज रेडियो टीवी कैमरा फोटो बटन टिकट ट्रेन स्टेशन टैक्सी ऑटो साइकिल पेट्रोल डीजल रोड पार्क
  होटल कॉफी केक बिस्किट चॉकलेट पार्टी फिल्म हीरो सिनेमा क्रिकेट मैच बॉल बैंक चेक कार्ड नंबर फॉर्म फाइल पेपर पेंसिल बुक कॉपी बैग टेबल
  सोफा फ्रिज फैन लाइट बल्ब स्विच गैस बोतल गिलास प्लेट शर्ट पैंट जैकेट मिनट सेकंड किलोमीटर मीटर किलो लीटर डिग्री परसेंट रॉकेट मशीन
  इंजन इंजीनियर कंपनी मोबाइल फोन कंप्यूटर मम्मी डैडी अंकल आंटी बेबी लाइन लिस्ट पॉइंट बिल मिनिस्टर टीम गेम रिपोर्ट`.split(/\s+/u),
)
