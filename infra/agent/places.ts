/** Cities as they are said in each script, and their English names, which is what tools know. */
const spellings = `
Delhi: दिल्ली dilli delhi டெல்லி
New Delhi: नई_दिल्ली
Mumbai: मुंबई मुम्बई mumbai bombay மும்பை
Bengaluru: बेंगलुरु बैंगलोर bengaluru bangalore பெங்களூரு பெங்களூர்
Chennai: चेन्नई chennai madras சென்னை
Kolkata: कोलकाता kolkata calcutta கொல்கத்தா
Hyderabad: हैदराबाद hyderabad ஹைதராபாத்
Pune: पुणे pune poona புனே
Jaipur: जयपुर jaipur ஜெய்ப்பூர்
Lucknow: लखनऊ lucknow லக்னோ
Ahmedabad: अहमदाबाद ahmedabad அகமதாபாத்
Patna: पटना patna பாட்னா
Bhopal: भोपाल bhopal போபால்
Indore: इंदौर indore
Varanasi: वाराणसी बनारस varanasi banaras வாரணாசி
Agra: आगरा agra ஆக்ரா
Chandigarh: चंडीगढ़ chandigarh சண்டிகர்
Coimbatore: कोयंबटूर coimbatore கோயம்புத்தூர் கோவை
Madurai: मदुरै madurai மதுரை
Kochi: कोच्चि kochi cochin கொச்சி
Goa: गोवा goa கோவா
Nagpur: नागपुर nagpur
Surat: सूरत surat
Kanpur: कानपुर kanpur
London: लंदन london லண்டன்
Paris: पेरिस paris
New York: न्यूयॉर्क new_york
Tokyo: टोक्यो tokyo
`

const cities: readonly (readonly [spelling: string, name: string])[] = spellings
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [name = '', others = ''] = line.split(': ')
    return [name.toLowerCase(), ...others.split(' ')].map((one) => [one.replaceAll('_', ' '), name] as const)
  })
  .sort(([one], [other]) => other.length - one.length)

/** Capitalised words after a preposition, for places that the list does not have. */
const afterPreposition = /\b(?:in|at|to|from|for|of|near)\s+((?:\p{Lu}[\p{L}'-]+)(?:\s+\p{Lu}[\p{L}'-]+){0,2})/gu
const beforePostposition = /(?<![\p{L}\p{M}])(\p{L}[\p{L}\p{M}]+)\s+(?:में|mein|का|की|ka|ki)(?=\s|$)/gu

/** Places in the order in which they are said. */
export function placesIn(text: string): string[] {
  const said = text.normalize('NFC').toLowerCase()
  const found: { at: number; name: string }[] = []
  for (const [spelling, name] of cities) {
    const at = indexOfWord(said, spelling)
    // a longer name holds the shorter: New Delhi is not Delhi
    if (at >= 0 && !found.some((one) => Math.abs(one.at - at) < spelling.length || one.name === name))
      found.push({ at, name })
  }
  if (found.length > 0) return found.sort((one, other) => one.at - other.at).map(({ name }) => name)
  const guessed = [...text.matchAll(afterPreposition)].map((match) => match[1]!)
  if (guessed.length > 0) return guessed
  return [...text.matchAll(beforePostposition)].map((match) => match[1]!)
}

/** Tamil adds its cases to the word itself, so only the beginning must fit. */
function indexOfWord(text: string, word: string): number {
  const at = text.indexOf(word)
  if (at < 0) return -1
  const before = text[at - 1] ?? ' '
  const after = text[at + word.length] ?? ' '
  const isWhole = !/[\p{L}\p{M}]/u.test(after) || /\p{Script=Tamil}/u.test(word)
  return /[\p{L}\p{M}]/u.test(before) || !isWhole ? -1 : at
}
