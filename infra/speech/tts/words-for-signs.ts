import type { VoiceLanguage } from './languages.ts'

type Words = Readonly<Record<VoiceLanguage, string>>

const words: Readonly<Record<string, Words>> = {
  '&': { en: 'and', hi: 'और', ta: 'மற்றும்' },
  '+': { en: 'plus', hi: 'प्लस', ta: 'கூட்டல்' },
  '=': { en: 'equals', hi: 'बराबर', ta: 'சமம்' },
  '@': { en: 'at', hi: 'ऐट', ta: 'அட்' },
  minus: { en: 'minus', hi: 'माइनस', ta: 'கழித்தல்' },
  percent: { en: 'percent', hi: 'प्रतिशत', ta: 'சதவீதம்' },
  to: { en: 'to', hi: 'से', ta: 'முதல்' },
  by: { en: 'by', hi: 'बटा', ta: 'கீழ்' },
  lakh: { en: 'lakh', hi: 'लाख', ta: 'லட்சம்' },
  crore: { en: 'crore', hi: 'करोड़', ta: 'கோடி' },
  oclock: { en: "o'clock", hi: 'बजे', ta: 'மணி' },
  past: { en: '', hi: 'बजकर', ta: 'மணி' },
  minutes: { en: '', hi: 'मिनट', ta: 'நிமிடம்' },
  km: { en: 'kilometres', hi: 'किलोमीटर', ta: 'கிலோமீட்டர்' },
  m: { en: 'metres', hi: 'मीटर', ta: 'மீட்டர்' },
  cm: { en: 'centimetres', hi: 'सेंटीमीटर', ta: 'சென்டிமீட்டர்' },
  mm: { en: 'millimetres', hi: 'मिलीमीटर', ta: 'மில்லிமீட்டர்' },
  kg: { en: 'kilograms', hi: 'किलोग्राम', ta: 'கிலோகிராம்' },
  g: { en: 'grams', hi: 'ग्राम', ta: 'கிராம்' },
  mg: { en: 'milligrams', hi: 'मिलीग्राम', ta: 'மில்லிகிராம்' },
  l: { en: 'litres', hi: 'लीटर', ta: 'லிட்டர்' },
  ml: { en: 'millilitres', hi: 'मिलीलीटर', ta: 'மில்லிலிட்டர்' },
  gb: { en: 'gigabytes', hi: 'जीबी', ta: 'ஜிபி' },
  mb: { en: 'megabytes', hi: 'एमबी', ta: 'எம்பி' },
  '°c': { en: 'degrees Celsius', hi: 'डिग्री सेल्सियस', ta: 'டிகிரி செல்சியஸ்' },
  '°': { en: 'degrees', hi: 'डिग्री', ta: 'டிகிரி' },
}

/** How a sign or a unit is spoken; itself when nobody knows. */
export function wordsFor(sign: string, language: VoiceLanguage): string {
  return words[sign]?.[language] ?? sign
}

export function isUnit(sign: string): boolean {
  return Object.hasOwn(words, sign)
}

const months: Readonly<Record<VoiceLanguage, readonly string[]>> = {
  en: 'January February March April May June July August September October November December'.split(' '),
  hi: 'जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर'.split(' '),
  ta: 'ஜனவரி பிப்ரவரி மார்ச் ஏப்ரல் மே ஜூன் ஜூலை ஆகஸ்ட் செப்டம்பர் அக்டோபர் நவம்பர் டிசம்பர்'.split(' '),
}

/** 1 to 12. */
export function monthName(month: number, language: VoiceLanguage): string | undefined {
  return months[language][month - 1]
}

export function isMonth(word: string): boolean {
  return months.en.some((name) => name.toLowerCase().startsWith(word.toLowerCase()) && word.length >= 3)
}
