import test from 'ava'

import type { VocabularyEntry } from '../../../actors/vocabulary/state.ts'
import { withSought } from '../../../infra/speech/vocabulary/sought-words.ts'
import { aTranscribedChunk } from '../../support/transcribed-chunk.ts'

const meera: VocabularyEntry[] = [{ text: 'Meera', spoken: ['मेरा'] }]

/** `पेड़@0-1 पौधे,@1-2`: words with their times. */
function heard(timed: string) {
  const words = timed.split(' ').map((one) => {
    const [written = '', start, end] = one.split(/[@-]/u)
    const text = written.replaceAll(/[,.।?]/gu, '')
    return { text, written, start: Number(start), end: Number(end), confidence: 0.8 }
  })
  return aTranscribedChunk({ words, models: [{ id: timed, files: [] }] })
}

const laid = (before: string, now: string, sought = meera): string =>
  withSought(heard(before), heard(now), sought)
    .transcript.words.map(({ written }) => written)
    .join(' ')

test('a chunk in which none of the words came is the one that it was, whatever else is heard now', (t) => {
  const before = heard('पेड़@0-1 पौधे@1-2 हैं।@2-3')
  t.is(withSought(before, heard('बड़बोले@0-2 हैं।@2-3'), meera), before)
  t.is(withSought(before, heard('पेड़@0-1 पौधे@1-2 Meera।@2.9-3.5'), [{ text: 'Neera' }]), before)
})

test('of what came nothing but the word is taken, with the marks that stood there', (t) => {
  t.is(
    laid('पेड़@0-1 पौधे@1-2 मीर,@2-3 ने@3-4 लगाए।@4-5', 'बड़बोले@0-2 Meera।@2.1-3 में@3-4 लगाए।@4-5'),
    'पेड़ पौधे Meera, ने लगाए।',
  )
})

test('what a word cannot be parted from comes with it, where words were joined or divided', (t) => {
  t.is(laid('कल@0-1 मीराने@1-3 कहा।@3-4', 'अब@0-1 Meera@1-2 ने@2-3 रहा।@3-4'), 'कल Meera ने कहा।')
  t.is(laid('कल@0-1 मी@1-1.5 रा@1.5-2 ने@2-3', 'अब@0-1 Meera@1-2 में@2-3'), 'कल Meera ने')
  const delhi = [{ text: 'New Delhi' }]
  t.is(laid('in@0-1 nude@1-2 ellie@2-3 now.@3-4', 'on@0-1 New@1-1.9 Delhi@1.9-3 no.@3-4', delhi), 'in New Delhi now.')
})

test('a word that came where there was none is put in its place in time', (t) => {
  t.is(laid('कल@0-1 आई।@3-4', 'कल@0-1 Meera@1.5-2.5 आई।@3-4'), 'कल Meera आई।')
  t.is(laid('कल@0-1 आई।@1-2', 'कल@0-1 आई।@1-2 Meera@3-4'), 'कल आई। Meera')
})

test('a word that stood there already, in either script, is left, and another place of it is found', (t) => {
  const sought = [{ text: 'Meera' }]
  const before = heard('मीरा@0-1 है@1-2 मिरर@2-3')
  t.is(withSought(before, heard('Meera@0-1 थी@1-2 दो@2-3'), sought), before)
  t.is(laid('मीरा@0-1 है@1-2 मिरर@2-3', 'मीरा@0-1 थी@1-2 मीरा@2-3', sought), 'मीरा है मीरा')
})

test('what was taken for the word is spelt by the vocabulary, even where it is not heard so again', (t) => {
  t.is(laid('यह@0-1 मेरा@1-2 है।@2-3', 'वह@0-1 मेला@1-2 है।@2-3'), 'यह Meera है।')
})

test('a chunk with words of two transcriptions names the models of both', (t) => {
  const [before, now] = ['मिरर@0-1', 'Meera@0-1']
  const ids = withSought(heard(before), heard(now), meera).models?.map(({ id }) => id)
  t.deepEqual(ids, [before, now])
})
