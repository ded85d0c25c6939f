import { pairs } from '../text/pairs.ts'

/** Whether a full stop after this word belongs to it and ends no sentence: Dr, e.g, an initial, डॉ, திரு. */
export function isAbbreviation(word: string): boolean {
  if (word === '') return false
  if (/^\p{Lu}$/u.test(word) && word !== 'I') return true // an initial: A. P. J. Abdul Kalam
  if (/^(?:\p{L}\.)+\p{L}$/u.test(word)) return true
  return before.has(word.toLowerCase())
}

/** Those that stand before what they belong to. One like `etc.` may end a sentence as well, and does so for us. */
const before = new Set(
  [
    'dr mr mrs ms prof sr jr st smt shri sri km no nos vs fig vol pp approx dept govt hon capt col gen lt maj rev rs',
    'jan feb mar apr jun jul aug sep sept oct nov dec डॉ श्री प्रो रु सं कु पं திரு திருமதி டாக்டர் ரூ',
  ].flatMap((line) => line.split(' ')),
)

/** How an abbreviation is spoken; the key is in lower case and has no full stop at its end. */
export const spokenAbbreviations: Readonly<Record<'en' | 'hi' | 'ta', ReadonlyMap<string, string>>> = {
  en: new Map(
    pairs(`
      dr=doctor mr=mister mrs=missus ms=miz prof=professor jr=junior vs=versus etc=etcetera approx=approximately
      dept=department govt=government capt=captain gen=general lt=lieutenant maj=major hon=honourable smt=shrimati
      km=kilometres kg=kilograms cm=centimetres mm=millimetres kmph=kilometres_per_hour hrs=hours mins=minutes
      ltd=limited pvt=private co=company e.g=for_example i.e=that_is rs=rupees a.m=A_M p.m=P_M
      jan=January feb=February apr=April jul=July aug=August sep=September sept=September oct=October nov=November
      dec=December
    `),
  ),
  hi: new Map(
    pairs(`
      डॉ=डॉक्टर प्रो=प्रोफ़ेसर रु=रुपये कि.मी=किलोमीटर किमी=किलोमीटर कि.ग्रा=किलोग्राम किग्रा=किलोग्राम पं=पंडित
      dr=डॉक्टर mr=मिस्टर mrs=मिसेज़ ms=मिस prof=प्रोफ़ेसर smt=श्रीमती km=किलोमीटर kg=किलोग्राम cm=सेंटीमीटर mm=मिलीमीटर
      rs=रुपये etc=वगैरह vs=बनाम a.m=ए_एम p.m=पी_एम hrs=घंटे mins=मिनट ltd=लिमिटेड pvt=प्राइवेट
    `),
  ),
  ta: new Map(
    pairs(`
      கி.மீ=கிலோமீட்டர் கிமீ=கிலோமீட்டர் கி.கி=கிலோகிராம் ரூ=ரூபாய் டாக்டர்=டாக்டர்
      dr=டாக்டர் mr=மிஸ்டர் mrs=மிஸஸ் prof=பேராசிரியர் km=கிலோமீட்டர் kg=கிலோகிராம் rs=ரூபாய் etc=முதலியன
    `),
  ),
}
