/** Hindi has a word of its own for each number up to a hundred, and most have several spellings. */
const upToHundred = `
  शून्य|ज़ीरो|जीरो एक दो तीन चार पाँच|पांच छह|छः|छे|छै सात आठ नौ
  दस ग्यारह बारह तेरह चौदह पंद्रह|पन्द्रह सोलह सत्रह|सतरह अठारह|अट्ठारह उन्नीस
  बीस इक्कीस बाईस|बाइस तेईस|तेइस चौबीस पच्चीस|पचीस छब्बीस सत्ताईस|सत्ताइस अट्ठाईस|अट्ठाइस|अठ्ठाईस|अठाईस उनतीस|उन्तीस
  तीस इकतीस|इकत्तीस बत्तीस तैंतीस|तेंतीस चौंतीस पैंतीस छत्तीस सैंतीस अड़तीस उनतालीस|उन्तालीस
  चालीस इकतालीस बयालीस|बियालीस तैंतालीस|तेंतालीस चौवालीस|चवालीस|चौंवालीस पैंतालीस छियालीस सैंतालीस अड़तालीस उनचास|उन्चास
  पचास इक्यावन बावन तिरपन|तिरेपन चौवन पचपन छप्पन सत्तावन अट्ठावन|अठावन|अठ्ठावन उनसठ
  साठ इकसठ बासठ तिरसठ|तिरेसठ चौंसठ पैंसठ छियासठ सड़सठ अड़सठ उनहत्तर
  सत्तर इकहत्तर बहत्तर तिहत्तर चौहत्तर पचहत्तर|पिचहत्तर छिहत्तर सतहत्तर|सतत्तर अठहत्तर उन्यासी|उनासी
  अस्सी इक्यासी बयासी|बियासी तिरासी चौरासी पचासी|पिचासी छियासी सत्तासी|सतासी अट्ठासी|अठासी नवासी
  नब्बे इक्यानवे|इक्यानबे बानवे|बानबे तिरानवे|तिरानबे चौरानवे|चौरानबे पंचानवे|पंचानबे|पचानवे छियानवे|छियानबे सत्तानवे|सत्तानबे अट्ठानवे|अट्ठानबे|अठानवे निन्यानवे|निन्यानबे`

const spellingsByNumber = upToHundred
  .trim()
  .split(/\s+/u)
  .map((spellings) => spellings.split('|'))

export const hindiNumbers: ReadonlyMap<string, number> = new Map(
  spellingsByNumber.flatMap((spellings, value) => spellings.map((word) => [plainSpelling(word), value] as const)),
)

/** Each as it is mostly written. */
export const hindiNumberWords: readonly string[] = spellingsByNumber.map(([usual = '']) => usual)

/** Recognisers differ in dots and in the choice between ं and ँ. */
export function plainSpelling(word: string): string {
  return word.normalize('NFC').replaceAll('\u093c', '').replaceAll('\u0901', '\u0902').toLowerCase()
}
