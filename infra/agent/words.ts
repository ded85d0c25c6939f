/** Letters that belong together, lower case; digits stay whole. Marks of Indian scripts are part of their words. */
export function agentWords(text: string): string[] {
  return (
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}]+|\d+(?:[.,]\d+)*/gu) ?? []
  )
}

/** `getWeatherForecast`, `get_weather-forecast` and `Get weather forecast` are the same words. */
export function wordsOfName(name: string): string[] {
  return agentWords(name.replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2').replaceAll(/[_./-]+/g, ' '))
}

/** As good a stem as English names of tools need. */
export function stemOf(word: string): string {
  if (!/^[a-z]+$/.test(word) || word.length < 5) return word
  return word.replace(/(?:ies|ied)$/, 'y').replace(/(?:ings?|ed|es|s|e)$/, '')
}
