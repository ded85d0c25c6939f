import { plainSpelling } from '../text/numerals/hindi-numbers.ts'
import { once } from '../text/once.ts'
import { romanKey } from '../text/roman-key.ts'
import { romanise } from '../text/romanise.ts'
import { peel, writingSystemOf } from '../text/script.ts'
import { englishWords, hindiWords } from '../text/word-lists.ts'
import { doubtfulNames, englishNames, indianNames, rareNames } from './name-lists.ts'
import type { WordSpan } from './pan.ts'

/** `doubtful` is a word besides: only what stands around it tells. */
type Verdict = 'name' | 'doubtful' | 'word'

/** Among the commonest words of our texts, and hardly ever anything but names. */
const surelyNames =
  wordsIn(`अनु मोदी फ़ातिमा रज़ा रहमान रमा गौरी नरेन्द्र कौशिक गोलू मुन्नी राजू शंकर मीरा आमिर वसीम राघव सुशीला अब्दुल गांधी विनय विक्की सीता
  सरला शर्मा ठाकुर अरुण मंजू सोनी रोहन अहमद रमेश पटेल अशोक गोयल अर्जुन सिंह राम तारा नारायण श्याम रवि john jack george`)
/** Hindi words that are names too, and rarer than the commonest. */
const alsoWords =
  wordsIn(`आनंद विजय प्रेम ज्योति किरण कमल माया लता कला दीपक संध्या सपना चेतन विवेक यश उदय सुमन रचना प्रेरणा निशा भावना शोभा करुणा ममता
  क्षमा श्रद्धा मुक्ता दिव्य वंदना साधना अर्चना तन्वी हर्ष गोपाल गगन सागर पवन बादल मधु मंगल वर्मा तरुण नवीन प्रभा प्रताप प्रमोद विमल वीर शिखा शीतल संगीता संतोष सुधा सुमति
  हरि हीरा लाली गोपी देव दीपा धन धर्म नंदन नंदिनी नाथ पाल बाला भानु भूषण मान मोहन मोती राज रजत रत्न राय राव रूप लक्ष्मी लीला वन शरद शशि शोभित समीर सरस सुर स्वर्ण
  माला मेघ मेघा रंजन रस रिद्धि रूपा वाणी विद्या विश्व वैभव शील सत्य सरिता सुनीति स्मृति स्वाति चंदन चंद्र चंद्रा छवि जगत जया तेजस दया दर्शन नयन नीति नील नीलम पंकज परिमल पुष्प पूर्णिमा
  प्रज्ञा प्रतिभा प्रिया बसंत बिंदु महिमा मानस मिलन मिहिर मुकुल मृदुल योगेश रोशन ललित विकास वसंत विनोद शुभ श्री समर साहिल सुंदर सौरभ हंस`)
const common = once(() => new Set([...hindiWords, ...englishWords].map(plainSpelling)))

/** Months, places and words that people are called by as well, and never here. */
const elsewhere =
  wordsIn(`january april may june august london paris india china america asia israel sydney austin brooklyn chelsea phoenix
  jordan georgia virginia carolina florence dallas houston berlin vienna africa ireland kerala goa general major lord west देवर नहा`)

const namesInLatin = once(() => wordsIn(`${indianNames} ${rareNames} ${englishNames}`))
const doubtfulInLatin = wordsIn(doubtfulNames)
const commonKeys = once(() => keysOf(indianNames))
const rareKeys = once(() => keysOf(`${rareNames} ${englishNames}`))
/** Shorter ones sound like half of the language. */
const keyLettersLeast = 4

const titles = wordsIn(`mr mrs miss ms mister dr doctor shri smt shrimati prof professor kumari sri
  श्री श्रीमती मिस्टर मिसेज़ मिसेज मिस डॉक्टर डॉ प्रोफेसर प्रोफ़ेसर कुमारी सुश्री`)
/** What stands before them is a name, whether we know it or not. */
const surnames =
  wordsIn(`singh kumar kumari devi sharma verma gupta khan lal prasad ram yadav patel das begum bano bai kaur
  सिंह कुमार कुमारी देवी शर्मा वर्मा गुप्ता ख़ान लाल प्रसाद राम यादव पटेल दास बेगम बानो बाई कौर`)
const honours = wordsIn(`ji jee sahab saheb bhai didi bhaiya kaka chacha uncle aunty
  जी साहब साहिब भाई दीदी भैया काका काकी चाचा चाची मामा मामी मौसी बुआ ताऊ अंकल आंटी`)
/** Of who did something: things that are called as people are seldom do. */
const agents = wordsIn('ne ने')
/** Shorter ones are offices and kin: जज ने. */
const agentLettersLeast = 3
const speaking = wordsIn('speaking bol here बोल')
const nameWords = wordsIn('name names naam called नाम')
const afterNameWords = wordsIn(
  'is was my mera meri hai to है तो मेरा मेरी उनका उसका आपका क्या what your yours full पूरा और and',
)
/** A given name, one between, a surname. */
const introducedMax = 3

/** By lists of names, and by how people are spoken of. */
export function namesIn(words: readonly string[]): WordSpan[] {
  const cores = words.map((word) => peel(word).core)
  const plain = cores.map(plainSpelling)
  const verdicts = cores.map(verdictOf)
  const isName = cores.map((core, at) => {
    if (verdicts[at] === 'name') return true
    if (verdicts[at] === 'doubtful') return isSpokenOf({ words, plain, verdicts }, at)
    return core !== '' && !common().has(plain[at]!) && (isAfterTitle(plain, at) || isBesideName(plain, verdicts, at))
  })
  for (const at of introducedIn(plain, verdicts)) isName[at] = true
  return spansOf(isName)
}

function verdictOf(core: string): Verdict {
  const plain = plainSpelling(core)
  if (surelyNames.has(plain)) return 'name'
  if (nameWords.has(plain) || honours.has(plain)) return 'word'
  if (elsewhere.has(plain)) return 'word'
  if (writingSystemOf(core) === 'devanagari') return verdictInDevanagari(core, plain)
  // Indian names are spelt as people like
  if (!namesInLatin().has(plain)) return isSpeltOtherwise(plain) ? 'name' : 'word'
  return doubtfulInLatin.has(plain) || common().has(plain) ? 'doubtful' : 'name'
}

const otherSpellingLeast = 5

function isSpeltOtherwise(plain: string): boolean {
  const key = nameKey(plain)
  return key.length >= otherSpellingLeast && commonKeys().has(key) && !common().has(plain)
}

function verdictInDevanagari(core: string, plain: string): Verdict {
  const key = nameKey(romanise(core))
  const isCommonName = commonKeys().has(key)
  if (!isCommonName && !rareKeys().has(key)) return 'word'
  const isDoubtful = !isCommonName || key.length < keyLettersLeast || common().has(plain) || alsoWords.has(plain)
  return isDoubtful ? 'doubtful' : 'name'
}

interface Sentence {
  readonly words: readonly string[]
  readonly plain: readonly string[]
  readonly verdicts: readonly Verdict[]
}

function isSpokenOf({ words, plain, verdicts }: Sentence, at: number): boolean {
  if (isAfterTitle(plain, at) || honours.has(plain[at + 1] ?? '') || speaking.has(plain[at + 1] ?? '')) return true
  if (verdicts[at - 1] === 'name' || verdicts[at + 1] === 'name') return true
  const isAgent = agents.has(plain[at + 1] ?? '') && plain[at]!.length >= agentLettersLeast
  if (isAgent && !common().has(plain[at]!)) return true
  if (surnames.has(plain[at]!) && at > 0 && (verdicts[at - 1] === 'doubtful' || !common().has(plain[at - 1]!)))
    return true
  if (surnames.has(plain[at + 1] ?? '')) return true
  return /^\p{Lu}/u.test(peel(words[at]!).core) && at > 0 && !/[.?!।…]$/u.test(words[at - 1]!)
}

function isAfterTitle(plain: readonly string[], at: number): boolean {
  return titles.has(plain[at - 1] ?? '')
}

/** A word that nobody knows before a surname, or behind a given name in Devanagari, where capitals do not tell. */
function isBesideName(plain: readonly string[], verdicts: readonly Verdict[], at: number): boolean {
  if (writingSystemOf(plain[at]!) === 'none') return false
  if (surnames.has(plain[at + 1] ?? '')) return true
  return verdicts[at - 1] === 'name' && writingSystemOf(plain[at]!) === 'devanagari'
}

/** "My name is", "मेरा नाम": what follows, up to the next word that everybody uses. */
function introducedIn(plain: readonly string[], verdicts: readonly Verdict[]): number[] {
  const isTaken = (at: number): boolean => verdicts[at] !== 'word' || (plain[at] !== '' && !common().has(plain[at]!))
  return plain.flatMap((word, said) => {
    if (!nameWords.has(word)) return []
    let from = said + 1
    while (afterNameWords.has(plain[from] ?? '')) from += 1
    let to = from
    while (to < plain.length && to - from < introducedMax && isTaken(to)) to += 1
    return Array.from({ length: to - from }, (_, at) => from + at)
  })
}

/** A given name and a surname are one. */
function spansOf(isName: readonly boolean[]): WordSpan[] {
  const spans: WordSpan[] = []
  for (const [at, found] of isName.entries()) {
    const last = spans.at(-1)
    if (!found) continue
    if (last?.to === at) spans[spans.length - 1] = { ...last, to: at + 1 }
    else spans.push({ from: at, to: at + 1 })
  }
  return spans
}

function wordsIn(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/u).map(plainSpelling))
}

/** What spellings of one name have in common: Kishor and Kishore, Bhawna and Bhavana. */
function nameKey(name: string): string {
  return romanKey(name)
    .replace(/e$/u, '')
    .replaceAll(/(?<=[b-df-hj-np-tv-z])a(?=[b-df-hj-np-tv-z][aeiou])/gu, '')
}

function keysOf(names: string): ReadonlySet<string> {
  return new Set(names.split(' ').map(nameKey))
}
