import test from 'ava'

import { followBatch } from '../../infra/cli/client/follow.ts'
import { transcriptSummary } from '../../infra/cli/client/summary.ts'
import type { BatchStatus } from '../../infra/client/api.ts'
import { openClient } from '../../infra/client/client.ts'
import type { ProgressBoard } from '../../infra/telemetry/progress.ts'

const processing: BatchStatus = {
  batch_id: 'a-batch',
  status: 'processing',
  total_files: 1,
  files_completed: 0,
  files_partial: 0,
  files_failed: 0,
  estimated_audio_seconds: 10,
  completed_audio_seconds: 0,
  estimated_completion_seconds: 22.5,
}
const completed: BatchStatus = {
  ...processing,
  status: 'completed',
  files_completed: 1,
  estimated_completion_seconds: 0,
}

/** A server that says so of a batch, one after the other, and then that it has ended. */
function aClient(statuses: readonly BatchStatus[]) {
  const events = [
    ...statuses.map((status) => `event: status\ndata: ${JSON.stringify(status)}\nid: some\n\n`),
    `event: end\ndata: ${JSON.stringify(completed)}\nid: end\n\n`,
  ]
  const answer = (url: string): Response =>
    url.includes('/events/') ? new Response(events.join('')) : Response.json(completed)
  return openClient({ url: 'http://server', fetch: (url) => Promise.resolve(answer(new Request(url).url)) })
}

/** What is drawn, a line for each change. */
function aBoard(): { board: ProgressBoard; drawn: string[] } {
  const drawn: string[] = []
  return {
    drawn,
    board: {
      start(title) {
        drawn.push(title)
        return {
          update: (fraction) => void drawn.push(`${title} ${fraction}`),
          done: () => void drawn.push(`${title} done`),
          fail: () => void drawn.push(`${title} failed`),
        }
      },
      aside: (write) => write(),
    },
  }
}

test('who watches a batch sees what it waits for as long as it does', async (t) => {
  const waiting = (what: string, percent?: number): BatchStatus => ({
    ...processing,
    waiting_for: { what, ...(percent !== undefined && { percent }) },
  })
  const { board, drawn } = aBoard()
  await followBatch(
    aClient([waiting('fetching model a', 40), waiting('fetching model a', 80), waiting('loading models'), processing]),
    'a-batch',
    board,
  )
  t.deepEqual(
    drawn.filter((line) => !line.startsWith('all files')),
    [
      'fetching model a',
      'fetching model a 0.4',
      'fetching model a 0.8',
      'fetching model a done',
      'loading models',
      'loading models 0',
      'loading models done',
    ],
  )
})

test('how far all files are goes by what is said in them', async (t) => {
  const { board, drawn } = aBoard()
  const half = { ...processing, completed_audio_seconds: 5 }
  const ofUnknownLength = { ...half, total_files: 4, files_completed: 1, estimated_audio_seconds: 0 }
  await followBatch(aClient([processing, half, ofUnknownLength]), 'a-batch', board)
  t.deepEqual(drawn, ['all files', 'all files 0', 'all files 0.5', 'all files 0.25', 'all files done'])
})

test('how far a batch is says what it waits for, and of one that has ended neither that nor how long', (t) => {
  const rest = '0 of 1 done, 0 with gaps, 0 failed'
  t.is(transcriptSummary(processing), `a-batch processing: ${rest}, about 23 s to go\n`)
  t.is(
    transcriptSummary({ ...processing, waiting_for: { what: 'fetching model a', percent: 40 } }),
    `a-batch processing: ${rest}, fetching model a (40 %), about 23 s to go\n`,
  )
  t.is(transcriptSummary(completed), 'a-batch completed: 1 of 1 done, 0 with gaps, 0 failed\n')
})
