import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

import { aWav } from '../../support/media.ts'
import { aMultipart, multipartType } from '../../support/multipart.ts'
import { head, rawConnection } from '../../support/raw-http.ts'
import type { RawConnection } from '../../support/raw-http.ts'
import { hostileAddress, hostileRequest } from './attack.ts'
import type { Attack, Target } from './attack.ts'

/** What costs a gateway most for what it costs the sender. */

const mebibyte = 1024 * 1024
const emptySources = `{"sources":[${'{},'.repeat(258_000)}{}]}`
const alphabet = 'कखगघचछजझटठडढणतथदधनपफबभमयरलवशषसह'
const scrambled = (step: number): string =>
  Array.from({ length: 20_000 }, (_, at) => alphabet[(at * step) % alphabet.length]).join('')
const worstComparison = JSON.stringify({ reference: scrambled(5), hypothesis: scrambled(11) })
const endlessSpeech = JSON.stringify({
  voice: 'maya',
  input: 'One after the other. '.repeat(150),
  response_format: 'pcm',
  speed: 0.25,
})
/** How long something is held that is never finished. */
const holdMs = 20_000

const asked = (name: string, lanes: number, question: Parameters<typeof hostileRequest>[1]): Attack => ({
  name,
  lanes,
  strike: async (target) => String((await hostileRequest(target, question)).status),
})

/** A connection that was given so much and never its end. */
async function held(
  target: Target,
  lines: readonly string[],
  ...parts: readonly (string | Uint8Array)[]
): Promise<string> {
  let close = (): unknown => undefined
  const cleaner = { teardown: (end: () => unknown) => void (close = end) }
  let connection: RawConnection | undefined
  try {
    connection = await rawConnection(cleaner, target.url, hostileAddress)
    const [first = '', ...rest] = lines
    await connection.send(head(first, 'Host: vaak', `Authorization: Bearer ${target.token}`, ...rest), ...parts)
    const over = pause(holdMs, 'held', { signal: target.signal })
    const status = connection.answer().then(
      (answer) => String(answer.status),
      () => 'closed',
    )
    return await Promise.race([over, status])
  } finally {
    close()
  }
}

export const requestAttacks: readonly Attack[] = [
  asked('many lists', 8, { method: 'GET', path: '/files?limit=200' }),
  asked('many searches', 4, { method: 'GET', path: `/search?q=${encodeURIComponent('क ख ग घ च छ')}` }),
  asked('a batch of nothing, 258,000 times', 4, { method: 'POST', path: '/transcribe/batch', body: emptySources }),
  asked('the worst comparison', 8, { method: 'POST', path: '/transcribe/evaluate', body: worstComparison }),
  {
    name: 'wrong tokens',
    lanes: 4,
    strike: async (target) => {
      const guess = { ...target, token: randomBytes(32).toString('base64url') }
      return String((await hostileRequest(guess, { method: 'GET', path: '/files' })).status)
    },
  },
  {
    name: 'uploads that never end',
    lanes: 64,
    strike: (target) =>
      held(
        target,
        ['POST /files/upload HTTP/1.1', `Content-Type: ${multipartType}`, 'Content-Length: 100000000'],
        aMultipart({ content: aWav({ seconds: 1 }) }).subarray(0, 10_000),
      ),
  },
  {
    name: 'bodies that never end',
    lanes: 8,
    strike: (target) =>
      held(
        target,
        ['POST /transcribe/batch HTTP/1.1', 'Content-Type: application/json', 'Transfer-Encoding: chunked'],
        `${(15 * mebibyte).toString(16)}\r\n`,
        Buffer.alloc(15 * mebibyte, ' '),
        '\r\n',
      ),
  },
  {
    name: 'spoken answers that nobody reads',
    lanes: 8,
    strike: (target) =>
      held(
        target,
        [
          'POST /v1/audio/speech HTTP/1.1',
          'Content-Type: application/json',
          `Content-Length: ${Buffer.byteLength(endlessSpeech)}`,
        ],
        endlessSpeech,
      ),
  },
]
