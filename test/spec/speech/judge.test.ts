import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { openJudge } from '../../../infra/speech/evaluate/judge.ts'
import { modelTime } from '../../../infra/speech/threads/model-time.ts'
import { ownerOf } from '../../support/service.ts'

const alphabet = 'कखगघचछजझटठडढणतथदधनपफबभमयरलवशषसह'
/** As far from each other as texts get: nothing is cut short. */
const scrambled = (step: number) => Array.from({ length: 50_000 }, (_, at) => alphabet[(at * step) % 32]).join('')

function aJudge(t: ExecutionContext): ReturnType<typeof openJudge> {
  const judge = openJudge()
  t.teardown(() => judge.close())
  return judge
}

const asked = (user: string, { signal } = new AbortController()) => ({ owner: ownerOf(user), signal })
const short = { said: 'कल आना', heard: 'कल जाना' }

/** Of every thread of this process, as the kernel tells it: the seventeenth number behind its name. */
function nicenesses(): number[] {
  return readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
    return Number(stat.split(') ').at(-1)?.split(' ')[16])
  })
}

test.serial('a short comparison waits for no long one', async (t) => {
  const judge = aJudge(t)
  const leaving = new AbortController()
  let isLongOver = false
  const long = judge
    .judge({ said: scrambled(5), heard: scrambled(11) }, asked('long', leaving))
    .finally(() => (isLongOver = true))
  t.is((await judge.judge(short, asked('short'))).words, 2)
  t.false(isLongOver)
  leaving.abort(new Error('gone'))
  await t.throwsAsync(long, { message: 'gone' })
})

test.serial('a short comparison gives way to nobody', async (t) => {
  await aJudge(t).judge(short, asked('short'))
  t.deepEqual([...new Set(nicenesses())], [getPriority()])
})

test.serial('what a comparison takes of the processor counts for who asked for it', async (t) => {
  await aJudge(t).judge({ said: 'कल '.repeat(500), heard: 'आज '.repeat(500) }, asked('counted'))
  t.true(modelTime.of(ownerOf('counted')) > 0)
  t.is(modelTime.of(ownerOf('another')), 0)
})
