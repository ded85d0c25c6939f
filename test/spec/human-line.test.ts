import test from 'ava'

import { humanLine } from '../../infra/telemetry/human-line.ts'

const time = '2026-01-02T03:04:05.678Z'

test('a log line for people has the time, the level, the role, the message and its facts', (t) => {
  const line = { level: 'info', time, role: 'gateway', host: '127.0.0.1', port: 8080, msg: 'gateway listens' }
  t.is(humanLine(JSON.stringify(line)), '  03:04:05  info   gateway  gateway listens  host=127.0.0.1  port=8080\n')
})

test('an error is shown by its message, without its stack', (t) => {
  const error = { type: 'Error', message: 'no room', stack: 'Error: no room\n    at somewhere' }
  const line = { level: 'warn', time, role: 'up', error, msg: 'step failed' }
  t.is(humanLine(JSON.stringify(line)), '  03:04:05  warn   up       step failed  error=no room\n')
})

test('a value cannot command the terminal, break the line, or fill the screen', (t) => {
  const line = { level: 'info', time, role: 'up', text: `\u001b[2J\r\nowned${'x'.repeat(1_000)}`, msg: 'said' }
  const shown = humanLine(JSON.stringify(line))
  t.notRegex(shown.slice(0, -1), /\p{Cc}/u)
  t.true(shown.length < 300)
  t.true(shown.endsWith('…\n'))
})
