import { loanwordInDevanagari } from './loanwords.ts'
import { once } from './once.ts'
import { pairs } from './pairs.ts'
import { romanKey } from './roman-key.ts'
import { romanise, romaniseInFull } from './romanise.ts'
import { hindiWords } from './word-lists.ts'

/**
 * Romanised Hindi into Devanagari, as well as can be: Latin letters do not tell t from ट or a from आ. Words that are
 * known are looked up by how they may be spelt; the rest is built by rule, and sometimes wrong.
 */
export function devanagarise(word: string): string {
  const lower = word.toLowerCase()
  return byExactSpelling().get(lower) ?? byKeyOf(lower) ?? loanwordInDevanagari(lower) ?? built(lower)
}

/** The rank of a romanised word among the known Hindi words, the most frequent being 0, or undefined. */
export function hindiRank(word: string): number | undefined {
  const key = romanKey(word)
  return ranks().get(key) ?? ranks().get(`${key}n`) // the nasal at the end is what people leave out first
}

function byKeyOf(word: string): string | undefined {
  const rank = hindiRank(word)
  return rank === undefined ? undefined : hindiWords[rank]
}

const byExactSpelling = once(() =>
  firstOf([romaniseInFull, romanise].flatMap((spell) => hindiWords.map((word) => [spell(word), word] as const))),
)
const ranks = once(() => firstOf(hindiWords.map((word, rank) => [romanKey(romanise(word)), rank])))

/** The words are in order of frequency: the first one with a spelling keeps it. */
function firstOf<Value>(entries: readonly (readonly [string, Value])[]): ReadonlyMap<string, Value> {
  const map = new Map<string, Value>()
  for (const [key, value] of entries) if (!map.has(key)) map.set(key, value)
  return map
}

const consonants = new Map(
  pairs(`
    chh=छ kh=ख gh=घ ch=च jh=झ th=थ dh=ध ph=फ bh=भ sh=श gy=ज्ञ ksh=क्ष k=क g=ग c=क j=ज t=त d=द n=न p=प f=फ़ b=ब m=म y=य r=र
    l=ल v=व w=व s=स h=ह z=ज़ q=क़ x=क्स
  `),
)
const vowels = new Map(pairs('aa=आ ai=ऐ au=औ ee=ई ei=ए oo=ऊ ou=औ a=अ i=इ u=उ e=ए o=ओ'))
const signs = new Map(pairs('आ=ा ऐ=ै औ=ौ ई=ी ए=े ऊ=ू अ= इ=ि उ=ु ओ=ो'))
const longAtTheEnd = new Map(pairs('a=आ i=ई u=ऊ'))
const halant = '\u094d'
const anusvara = '\u0902'
const pieces = /ksh|chh|kh|gh|ch|jh|th|dh|ph|bh|sh|gy|aa|ai|au|ee|ei|oo|ou|[a-z]/g

function built(word: string): string {
  const parts = word.match(pieces) ?? []
  let text = ''
  parts.forEach((part, at) => {
    const before = parts[at - 1] ?? ''
    if (vowels.has(part)) text += consonants.has(before) ? (signs.get(vowelAt(parts, at)) ?? '') : vowelAt(parts, at)
    else if (isNasal(parts, at)) text += anusvara
    else text += (isJoined(parts, at) ? halant : '') + (consonants.get(part) ?? part)
  })
  return text.normalize('NFC')
}

function vowelAt(parts: readonly string[], at: number): string {
  const part = parts[at]!
  const own = vowels.get(part)!
  if (at === 0 || at < parts.length - 1) return own
  // satya and mitra end in a schwa that is only heard because nobody can say the cluster without it
  const afterCluster = /^[yrvw]$/.test(parts[at - 1]!) && consonants.has(parts[at - 2] ?? '') && at > 2
  return part === 'a' && afterCluster ? own : (longAtTheEnd.get(part) ?? own)
}

/** Pairs that are one cluster wherever they stand. Other neighbours inside a word mostly lost a schwa: bachpan is बचपन. */
const clusters = /^(?:.+y|[td]h?r|(?:sh?|[td])[vw]|st|sth|sp|sh[tkn]|[nm]h|ks|ll|jj)$/
const atTheStart = /^(?:[kgpbtdfs]h?[rlvwy]|s.+)$/

function isJoined(parts: readonly string[], at: number): boolean {
  const before = parts[at - 1] ?? ''
  const part = parts[at]!
  if (!consonants.has(before) || isNasal(parts, at - 1)) return false
  if (at === parts.length - 1 || before[0] === part[0] || clusters.test(before + part)) return true
  return at === 1 && atTheStart.test(before + part)
}

/** n or m before another consonant, and n after e, o or ai at the end, is the dot above: lamba is लंबा, logon is लोगों. */
function isNasal(parts: readonly string[], at: number): boolean {
  const before = parts[at - 1] ?? ''
  const next = parts[at + 1]
  if (!vowels.has(before)) return false
  if (parts[at] === 'm') return next !== undefined && /^[pb]h?$/.test(next)
  if (parts[at] !== 'n') return false
  if (next === undefined) return ['o', 'ei', 'ai', 'oo'].includes(before)
  return consonants.has(next) && !/^(?:[nyhvwmp]|ph)$/.test(next)
}
