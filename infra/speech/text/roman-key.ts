/**
 * Romanised Hindi has no spelling: nahin, nahi and nahee are one word. The key is what such spellings have in common;
 * it is compared, never shown.
 */
export function romanKey(word: string): string {
  return rules.reduce((key, [pattern, replacement]) => key.replace(pattern, replacement), word.toLowerCase())
}

const rules: readonly (readonly [RegExp, string])[] = [
  [/[^a-z]/g, ''],
  [/chh/g, 'ch'],
  [/ph/g, 'f'],
  [/w/g, 'v'],
  [/z/g, 'j'],
  [/q|ck/g, 'k'],
  [/x/g, 'ks'],
  [/ou/g, 'au'],
  [/a{2,}/g, 'a'],
  [/e{2,}|ii+|ie(?=[^aeiou])/g, 'i'],
  [/o{2,}|uu+/g, 'u'],
  [/e[iy]/g, 'e'],
  [/eh/g, 'ah'],
  [/iy(?=[aeo])/g, 'i'],
  [/(?<=[ao])y(?=[ei])/g, ''],
  [/y$/, 'i'],
  [/(?<=[aeiou])h$/, ''],
  [/n(?=[pbmf])/g, 'm'],
  [/(?<first>[b-df-hj-np-tv-z])\k<first>+/g, '$1'],
]
