import { pairs } from '../text/pairs.ts'
import type { VoiceLanguage } from './languages.ts'

/** Capitals that are spelt letter by letter: OTP, UPI, GST. Undefined for a word that is said as one, such as NASA. */
export function acronym(core: string, language: VoiceLanguage): string | undefined {
  if (!/^[A-Z]{2,5}s?$/u.test(core) || saidAsWords.has(core)) return undefined
  const letters = Array.from(core.replace(/s$/u, ''))
  if (language !== 'hi') return letters.join('.')
  return letters.map((letter) => hindiNames.get(letter) ?? letter).join(' ')
}

const saidAsWords = new Set(
  [
    'NASA ISRO COVID AIDS NATO UNICEF UNESCO SIM PIN RAM LED AADHAR PAN NEET GATE SAARC OPEC OK',
    'I A AM AN AS AT BE BY DO GO HE IF IN IS IT ME MY NO OF ON OR SO TO UP US WE THE AND YOU ARE NOT FOR BUT ALL CAN',
    'HAS HAD WAS HIS HER ONE TWO NEW NOW SEE DAY MAN WHO DID GET LET SAY SHE TOO USE YES THIS THAT WITH HAVE WILL YOUR',
    'FROM THEY KNOW WANT BEEN GOOD MUCH SOME TIME VERY WHEN COME HERE JUST LIKE LONG MAKE MANY MORE ONLY OVER SUCH TAKE',
    'THAN THEM WELL WERE STOP HELP FREE SALE OPEN NOTE HELLO WORLD',
  ].flatMap((line) => line.split(' ')),
)

const hindiNames = new Map(
  pairs(`
    A=ए B=बी C=सी D=डी E=ई F=एफ़ G=जी H=एच I=आई J=जे K=के L=एल M=एम N=एन O=ओ P=पी Q=क्यू R=आर S=एस T=टी U=यू V=वी
    W=डब्ल्यू X=एक्स Y=वाई Z=ज़ेड
  `),
)
