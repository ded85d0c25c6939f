import { join } from 'node:path'

import test from 'ava'
import type { ExecutionContext } from 'ava'

import { aFolder } from '../../support/folder.ts'
import { runVaak } from '../../support/processes.ts'
import { alternatingCall } from '../../support/recordings.ts'
import { writeWav } from '../../support/wav-file.ts'

/** A recorded call of two people and what becomes of it, with the real decoder and the real models. */

interface Result {
  readonly segments: readonly {
    readonly language: string
    readonly channel?: number
    readonly speech_information?: { readonly speaker_id: string }
  }[]
}

async function transcribed(t: ExecutionContext, channels: readonly Float32Array[]): Promise<Result> {
  t.timeout(300_000, 'the first run fetches the models')
  const [left, right] = channels
  const path = await writeWav(join(await aFolder(t), 'call.wav'), left!, right!)
  const options = ['--profile', 'fast', '--channels', 'auto', '--speech-information', '--format', 'json']
  const { code, stdout, stderr } = await runVaak(t, ['transcribe', ...options, path])
  t.is(code, 0, stderr)
  return JSON.parse(stdout)
}

test.serial('left to itself, a call has its sides as speakers', async (t) => {
  const { segments } = await transcribed(t, await alternatingCall())
  const sides = segments.map(({ channel, language, speech_information: information }) =>
    [channel, information?.speaker_id, language].join(' '),
  )
  t.deepEqual([...new Set(sides)].toSorted(), ['0 channel_0 hi', '1 channel_1 en'])
  t.true(segments.length >= 4)
})

test.serial('left to itself, the same talk on both channels is one', async (t) => {
  const [left, right] = await alternatingCall()
  const both = left.map((sample, at) => sample + right[at]!)
  const { segments } = await transcribed(t, [both, both])
  t.true(segments.length > 0 && segments.every((segment) => !('channel' in segment)))
})
