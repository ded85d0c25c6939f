import test from 'ava'

import { readableTurns } from '../../infra/cli/session-turns.ts'

test('turns are printed as they were known live and as they are now, and nothing of them reaches the terminal as it is', (t) => {
  const turns = [
    { item_id: 'a', role: 'user', start: 1.2, end: 2, live_text: 'hello\u001b[31m there', text: 'Hello there.' },
    { item_id: 'b', role: 'assistant', start: 62, end: 63, text: 'नमस्ते।' },
  ] as const
  const session = { file_id: 'file', session_id: 'sess_1', status: 'completed', turns } as const
  t.is(
    readableTurns(session),
    '==> file, completed <==\n0:01 user\n  live   hello [31m there\n  final  Hello there.\n1:02 assistant\n  final  नमस्ते।\n',
  )
  const hindered_by = { reason: 'quota', message: 'Delete something.' } as const
  t.is(
    readableTurns({ ...session, status: 'recording', hindered_by, turns: [] }),
    '==> file, recording <==\n(Delete something.)\n',
  )
})
