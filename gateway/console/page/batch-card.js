import { read } from './api.js'
import { cancelButton } from './cancel-button.js'
import { announce, element } from './element.js'
import { fileRow } from './file-row.js'
import { follow } from './follow.js'
import { about, isOpen, madeAt, stateOf, waitingText, when } from './format.js'
import { aboutLine } from './metadata.js'
import { renameButton } from './rename.js'
import { say } from './say.js'
import { stateMark } from './state-mark.js'

/** A batch in the list, with those of its files that are on this page, as they are now. */
export function batchCard({ batchId, files }, { refresh, selected, signal }) {
  const rows = new Map(
    files.map(({ file, progress }) => {
      // a batch may call a file by another name
      const named = { ...file, filename: progress.filename }
      const row = fileRow(named, { onDeleted: refresh, onRetried: refresh, selected })
      row.paint(progress)
      return [file.file_id, row]
    }),
  )
  const summary = batchSummary(batchId)
  void live(batchId, { summary, rows, signal })
  return element(
    'section',
    { class: 'card', 'data-batch': batchId },
    summary.node,
    element('ul', { class: 'rows' }, ...[...rows.values()].map((row) => row.node)),
  )
}

/** The head of a batch: when, how many, how far. */
export function batchSummary(batchId, heading = 'h2') {
  let name = ''
  const size = element('span', {})
  const state = element('span', { class: 'state-place' })
  const bar = element('progress', { max: '1', hidden: true, 'aria-label': say('batch.transcribed') })
  const cancel = cancelButton(batchId)
  const told = aboutLine()
  const title = heading === 'h2' ? element('a', { href: `#/batch/${batchId}` }) : element('span', {})
  const call = (given = '') => {
    name = given
    title.textContent = name || say('batch.of', { when: when(madeAt(batchId)) })
  }
  call()
  return {
    node: element(
      'div',
      { class: 'card-head' },
      element(heading, {}, title),
      renameButton(batchId, { nameOf: () => name, onRenamed: call }),
      size,
      state,
      cancel,
      told.node,
      bar,
    ),
    paint(status) {
      call(status.name)
      told.paint(status)
      const {
        total_files: total,
        estimated_audio_seconds: seconds,
        completed_audio_seconds: done,
        estimated_completion_seconds: left,
        waiting_for: waiting,
      } = status
      size.textContent = say('batch.recordings', { count: total })
      const isGoing = isOpen(status.status)
      state.replaceChildren(stateMark(status.status, isGoing ? outlook(left, waiting) : ''))
      cancel.hidden = !isGoing
      bar.hidden = status.status !== 'processing' || waiting !== undefined
      bar.value = seconds > 0 ? done / seconds : 0
    },
  }
}

/** What is waited for comes before how long: a bar that stands still says nothing. */
function outlook(left, waiting) {
  const how = left > 0 ? `· ${say('batch.left', { length: about(left) })}` : ''
  return waiting === undefined ? how : `· ${waitingText(waiting)} ${how}`
}

/** Paints what is, then what changes. */
export async function live(batchId, { summary, rows, signal, onEnd }) {
  try {
    const status = await read(`/transcribe/status/batch/${batchId}`, { signal })
    summary.paint(status)
    if (isOpen(status.status))
      await follow(
        batchId,
        {
          status: (now) => summary.paint(now),
          file: (progress) => rows.get(progress.file_id)?.paint({ ...progress, batch_id: batchId }),
          end: (ended) => {
            summary.paint(ended)
            announce(say('batch.ended', { count: ended.total_files, state: say(stateOf(ended.status).word) }))
            onEnd?.(ended)
          },
        },
        signal,
      )
    else onEnd?.(status)
    // who was read before it ended, only polled for, or cut off, has missed something
    await Promise.all([...rows.values()].filter((row) => row.isGoing()).map((row) => repaint(row, signal)))
  } catch (error) {
    if (!signal.aborted) announce(error.message)
  }
}

async function repaint(row, signal) {
  row.paint(await read(`/transcribe/status/file/${row.fileId}`, { signal }))
}
