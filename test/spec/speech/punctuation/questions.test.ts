import test from 'ava'

import { asks } from '../../../../infra/speech/punctuation/questions.ts'

const questions = [
  'क्या आपने रिपोर्ट भेज दी',
  'तुम कब आओगे',
  'आपका नाम क्या है',
  'project कब तक complete होगा',
  'what is your name',
  'how much does it cost',
  'where did you keep the keys',
  'is this your first time here',
  'can you help me',
]
const statements = [
  'मुझे नहीं पता कि वह कब आएगा',
  'उसने पूछा कि दुकान कहाँ है',
  'कल मीटिंग है',
  'what he said made everyone laugh',
  'when i was young we lived in a village',
  'ask not what your country can do for you',
  'do not go there',
  '',
]

for (const question of questions)
  test(`"${question}" asks`, (t) => {
    t.true(asks(question.split(' ')))
  })

for (const statement of statements)
  test(`"${statement}" does not ask`, (t) => {
    t.false(asks(statement.split(' ')))
  })
