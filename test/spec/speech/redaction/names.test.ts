import test from 'ava'

import { namesIn } from '../../../../infra/speech/redaction/names.ts'

function without(text: string): string {
  const words = text.split(' ')
  return namesIn(words)
    .toReversed()
    .reduce((all, { from, to }) => all.toSpliced(from, to - from, '[name]'), words)
    .join(' ')
}

const table: readonly (readonly [said: string, left: string])[] = [
  // in both scripts, and however people spell them
  ['Rahul ने Neha को फ़ोन किया', '[name] ने [name] को फ़ोन किया'],
  ['राहुल ने सुनीता को फ़ोन किया', '[name] ने [name] को फ़ोन किया'],
  ['I met Sangita and Sangeeta Sharma today', 'I met [name] and [name] today'],
  ['then Sarah called John again', 'then [name] called [name] again'],
  // words that are names where somebody is spoken of
  ['आशा है कि आप ठीक हैं', 'आशा है कि आप ठीक हैं'],
  ['आशा जी बोल रही हैं', '[name] जी बोल रही हैं'],
  ['मेरा नाम आशा है', 'मेरा नाम [name] है'],
  ['श्रीमती ज्योति आईं', 'श्रीमती [name] आईं'],
  ['विकास हो रहा है', 'विकास हो रहा है'],
  ['विकास शर्मा आए', '[name] आए'],
  ['माया ने कहा', '[name] ने कहा'],
  ['उनकी माया को पार करना', 'उनकी माया को पार करना'],
  ['श्यामल काका का गांव', '[name] काका का गांव'],
  ['रवि के जीवन में श्याम आया', '[name] के जीवन में [name] आया'],
  ['सरकार ने कहा', 'सरकार ने कहा'],
  ['I will go in May', 'I will go in May'],
  ['this is Will speaking', 'this is [name] speaking'],
  // names that nobody knows
  ['मेरा नाम ज़ुबिन है', 'मेरा नाम [name] है'],
  ['my name is Zubin Tokas and I live in Pune', 'my name is [name] and I live in Pune'],
  ['श्री ज़ुबिन आए', 'श्री [name] आए'],
  ['सरबजोत सिंह आए', '[name] आए'],
]
for (const [said, left] of table) test(`“${said}” is given out as “${left}”`, (t) => t.is(without(said), left))

for (const said of [
  'कल शाम को बारिश होगी और मैं घर पर रहूँगा',
  'please send the report before the meeting on Monday',
  'what is your name',
  'आपका नाम क्या है',
  'the name of the game',
  'देवर ने सारे कागजात दिखा दिए',
  'जज ने कहा',
])
  test(`“${said}” stays as it is`, (t) => t.is(without(said), said))
