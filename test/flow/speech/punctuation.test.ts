import test from 'ava'

import { createPunctuator } from '../../../infra/speech/punctuation/punctuator.ts'
import { openModelStore } from '../../../infra/speech/models/store.ts'
import { cacheFolderForTests } from '../../support/nats.ts'
import { aWord } from '../../support/recognisers.ts'

const punctuator = createPunctuator({
  store: openModelStore({ cacheDir: cacheFolderForTests() }),
  fetch: () => Promise.resolve(), // it comes with the repository
})
test.after.always(() => punctuator.close())

const wordSeconds = 0.4

test('sentences that were said one after the other are told apart and written as a reader expects', async (t) => {
  t.is(
    await written('कल की meeting cancel हो गई है | क्या तुमने मेरा email देखा | मैं office जा रहा हूँ'),
    'कल की meeting cancel हो गई है। क्या तुमने मेरा email देखा? मैं office जा रहा हूँ।',
  )
  t.is(
    await written('what is your name | my friend rahul lives in delhi'),
    'What is your name? My friend Rahul lives in Delhi.',
  )
})

test('a text that is longer than the model sees at once is punctuated all through', async (t) => {
  const sentences = Array.from({ length: 40 }, () => 'कल सुबह दस बजे मीटिंग है')
  const text = await written(sentences.join(' | '))
  t.is(text, sentences.map((sentence) => `${sentence}।`).join(' '))
})

test('nothing said is nothing written', async (t) => {
  t.deepEqual(await punctuator.punctuate([]), [])
})

/** A bar is a pause of most of a second. */
async function written(said: string): Promise<string> {
  let at = 0
  const words = said.split(' ').flatMap((text) => {
    const start = at
    at += text === '|' ? 2 * wordSeconds : wordSeconds
    return text === '|' ? [] : [aWord(text, start, at)]
  })
  return (await punctuator.punctuate(words)).map((word) => word.written).join(' ')
}
